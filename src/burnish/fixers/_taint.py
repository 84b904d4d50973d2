"""Repairs of what the data-flow pass finds: which class has which, and how one is carried out over files."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from burnish.fixers import _taint_command as command
from burnish.fixers import _taint_cookie as cookie
from burnish.fixers import _taint_markup as markup
from burnish.fixers import _taint_parsers as parsers
from burnish.fixers import _taint_path as path
from burnish.fixers import _taint_queries as queries
from burnish.fixers import _taint_redirect as redirect
from burnish.fixers import _taint_secrets as secrets
from burnish.fixers import _taint_sql as sql
from burnish.fixers._edit import write_text
from burnish.fixers._names import unused_since
from burnish.fixers._python import Edit, Module, NotRepaired, apply
from burnish.fixers._re_exports import re_exported
from burnish.fixers._scene import Changes, Scene
from burnish.model.review import Finding


@dataclass(frozen=True)
class TaintRewrite:
    """`unsafe` ones can change what correct code does, so a person must have asked."""

    rewrite: Callable[[Scene], Changes]
    kind: str
    says: str
    unsafe: bool = False
    # Rules of other tools that it repairs as well, whether or not anything untrusted was seen there.
    others: frozenset[str] = frozenset()


_XML = frozenset(
    {*(f"ruff:S{number}" for number in range(313, 320)), *(f"bandit:B{number}" for number in range(313, 320))}
)
TAINT = (
    TaintRewrite(sql.parameterised, "sql", "passes values as parameters"),
    TaintRewrite(command.without_shell, "command", "runs the program without a shell"),
    TaintRewrite(command.quoted_values, "command", "quotes values for the shell"),
    TaintRewrite(secrets.unguessable, "weak_random", "makes the secret with the secrets module"),
    TaintRewrite(secrets.default_hasher, "weak_hash", "hashes passwords as Django does"),
    TaintRewrite(secrets.stronger_hash, "weak_hash", "uses SHA-256", unsafe=True),
    TaintRewrite(cookie.protected, "insecure_cookie", "gave the cookie its flags"),
    TaintRewrite(parsers.plain_data, "deserialisation", "loads YAML safely"),
    TaintRewrite(parsers.without_entities, "xxe", "reads XML without entities"),
    TaintRewrite(parsers.defused, "xxe", "reads XML with defusedxml", others=_XML),
    TaintRewrite(path.upload_name, "path", "reduces the name to one of a file"),
    TaintRewrite(path.kept_inside, "path", "checks that the path stays in its folder"),
    TaintRewrite(redirect.on_this_site, "redirect", "redirects within the site only"),
    TaintRewrite(markup.formatted_html, "xss", "lets format_html escape values"),
    TaintRewrite(markup.escaping_markup, "xss", "lets Markup escape values"),
    TaintRewrite(markup.template_values, "xss", "passes values to the template"),
    TaintRewrite(markup.escaped, "xss", "escapes values in HTML"),
    TaintRewrite(queries.escaped_filter, "ldap", "escapes values in the filter"),
    TaintRewrite(queries.xpath_variables, "xpath", "passes values as variables"),
    TaintRewrite(queries.one_line_log, "log", "takes line breaks out of values"),
    TaintRewrite(parsers.literal_only, "code", "reads literals only", unsafe=True),
)


def rewrites(finding: Finding, *, unsafe: bool) -> list[TaintRewrite]:
    if not finding.file.endswith((".py", ".pyw")):
        return []
    return [
        one
        for one in TAINT
        if one.unsafe == unsafe and (finding.rule == f"taint:{one.kind}" or finding.rule in one.others)
    ]


def repaired(finding: Finding, workspace: Path, *, unsafe: bool) -> str:
    """What was done in a few words; empty where no rewrite applies.

    All files are worked out before one is written.
    """
    for one in rewrites(finding, unsafe=unsafe):
        scene = Scene(workspace, finding)
        try:
            after = {
                file: _applied(scene, file, edits) for file, edits in one.rewrite(scene).items() if edits
            }
        except (NotRepaired, RecursionError):
            continue
        written = [write_text(workspace, scene.texts[file], text) for file, text in after.items()]
        if any(written):
            return one.says
    return ""


def why_not(finding: Finding, workspace: Path, *, unsafe: bool) -> str:
    """Why no rewrite applies, in the words of the last, which asks for least."""
    for one in reversed(rewrites(finding, unsafe=unsafe)):
        try:
            one.rewrite(Scene(workspace, finding))
        except NotRepaired as error:
            return str(error)
        except RecursionError:
            return "the code is nested too deep"
    return ""


def _refuse_shared(scene: Scene, file: str, after: Module) -> None:
    """A text of the module that others use as well must stay."""
    now = _texts(after)
    for name, text in _texts(scene.module(file)).items():
        if now.get(name, text) != text and scene.mentioning(name) != [file]:
            raise NotRepaired(f"{name} is used elsewhere too")


def _texts(module: Module) -> dict[str, str]:
    """The texts that have a name at the top of a module."""
    return {
        one.targets[0].id: one.value.value
        for one in module.tree.body
        if isinstance(one, ast.Assign)
        and isinstance(one.targets[0], ast.Name)
        and isinstance(one.value, ast.Constant)
        and isinstance(one.value.value, str)
    }


def _applied(scene: Scene, file: str, edits: list[Edit]) -> str:
    """The text with the edits, and without imports that only the old text needed."""
    module = scene.module(file)
    text = apply(module, edits)
    after = Module(text, 1)
    _refuse_shared(scene, file, after)
    gone = unused_since(module, after)
    if not gone:
        return text
    removed = tuple(
        name for edit in gone for name in after.text[edit.start : edit.end].replace(",", " ").split()
    )
    if re_exported(scene.workspace, scene.texts[file], removed):
        return text
    return apply(after, gone)
