"""`phase-manifest.yml`: the phases of a spec in a file of their own, exact to the key."""

from __future__ import annotations

from dataclasses import replace
from difflib import get_close_matches
from pathlib import PurePosixPath
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from burnish.config.yaml_file import parse
from burnish.errors import UsageError
from burnish.sanitise import clean_line
from burnish.specs.phase import Dependency, Phase, Spec, checked

# YAML takes ten times as long to read as anything else here.
MAX_CHARS = 128 * 1024
_VERSIONS = {"1", "1.0"}


def _one_line(value: Any) -> Any:
    """`- SC-1: it works` is a table of one key to YAML."""
    if isinstance(value, dict) and len(value) == 1:
        return ": ".join(str(part) for pair in value.items() for part in pair)
    return value


Num = Annotated[int, Field(strict=True, ge=0, le=999_999)]
Line = Annotated[str, BeforeValidator(_one_line)]


class _Exact(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class ManifestDependency(_Exact):
    phase: Num
    type: Literal["hard", "soft"] = "hard"


class ManifestPhase(_Exact):
    num: Num
    name: str
    description: str = ""
    sc_items: tuple[Line, ...] = ()
    dependencies: tuple[ManifestDependency, ...] = ()
    estimated_effort: Any = None
    stack: Any = None
    target_files: tuple[str, ...] = ()


class Manifest(_Exact):
    """What Burnish has no use for (`generated_at`, `bundles`, effort and stack) may hold anything."""

    version: Any
    spec_path: str = ""
    generated_at: Any = None
    total_phases: Num | None = None
    phases: tuple[ManifestPhase, ...]
    bundles: Any = None

    def plan(self, name: str) -> tuple[Phase, ...]:
        """Its phases in the order of their numbers; refused when they cannot be a plan."""
        return checked(name, [_phase(one) for one in self.phases])


# By how deep a key stands: `version`, `phases.1.num`, `phases.1.dependencies.0.type`.
_MODELS: dict[int, type[BaseModel]] = {1: Manifest, 3: ManifestPhase}


def read_manifest(path_name: str, text: str) -> Manifest:
    """A manifest from its text; anything else is told in one sentence."""
    name = clean_line(path_name)
    if len(text) > MAX_CHARS:
        raise UsageError(
            f"the manifest {name} is larger than {MAX_CHARS // 1024} KB.", hint="is this the file?"
        )
    try:
        content, lines = parse(text.removeprefix("\ufeff"), name=name)
        manifest = Manifest.model_validate(content)
    except ValidationError as error:
        raise _not_valid(name, error, lines) from None
    except RecursionError:
        raise UsageError(f"the manifest {name} is nested too deeply.", hint="is this the file?") from None
    except ValueError as error:
        raise UsageError(
            f"the manifest {name} is not valid YAML: {clean_line(str(error))}.",
            hint="correct that place in it",
        ) from None
    _check(name, manifest)
    return manifest


def with_manifest(name: str, spec: Spec, manifest: Manifest) -> Spec:
    """The spec with the phases of its manifest, in the document's words where it has the phase, too."""
    named = PurePosixPath(manifest.spec_path.replace("\\", "/")).name
    shown = PurePosixPath(name).name
    if named and named != shown:
        raise UsageError(
            f"the manifest is for the spec {clean_line(named)}, not for {clean_line(shown)}.",
            hint="correct its spec_path, or move it away",
        )
    words = {} if spec.whole else {phase.num: phase for phase in spec.phases}
    phases = (_in_words(phase, words.get(phase.num)) for phase in manifest.plan(f"the manifest of {shown}"))
    return replace(spec, phases=tuple(phases), whole=False)


def _in_words(phase: Phase, words: Phase | None) -> Phase:
    if words is None:
        return phase
    text = "\n\n".join(part for part in (phase.text, words.text) if part)
    return replace(
        phase, text=text, criteria=phase.criteria or words.criteria, files=phase.files or words.files
    )


def _phase(one: ManifestPhase) -> Phase:
    return Phase(
        num=one.num,
        name=clean_line(one.name) or f"Phase {one.num}",
        text=one.description.strip("\n"),
        criteria=tuple(" ".join(item.split()) for item in one.sc_items),
        depends=tuple(Dependency(other.phase, hard=other.type == "hard") for other in one.dependencies),
        files=one.target_files,
    )


def _check(name: str, manifest: Manifest) -> None:
    if str(manifest.version) not in _VERSIONS:
        raise UsageError(
            f"the manifest {name} is of version {clean_line(str(manifest.version))[:40]}; "
            "this Burnish reads version 1.",
            hint="use the Burnish that it was written for, or write it anew",
        )
    if not manifest.phases:
        raise UsageError(f"the manifest {name} has no phases.", hint="add one, or remove the manifest")
    if manifest.total_phases not in (None, len(manifest.phases)):
        raise UsageError(
            f"the manifest {name} says that there are {manifest.total_phases} phases (total_phases) "
            f"and lists {len(manifest.phases)}.",
            hint="it may be cut off; correct one of the two",
        )
    manifest.plan(f"the manifest {name}")


def _not_valid(name: str, error: ValidationError, lines: dict[str, int]) -> UsageError:
    # A misspelt key is also a missing one: its name is what helps.
    first = min(error.errors(), key=lambda one: one["type"] != "extra_forbidden")
    place = [str(part) for part in first["loc"]]
    where = clean_line(".".join(place))[:100]
    if first["type"] == "extra_forbidden":
        known = list(_MODELS.get(len(place), ManifestDependency).model_fields)
        close = get_close_matches(place[-1], known, n=1)
        hint = f"did you mean {close[0]!r}?" if close else f"known: {', '.join(known)}"
        return UsageError(f"the manifest {name} has an unknown key {where!r}.", hint=hint)
    line = lines.get(place[0]) if place else None
    at = f" (in what begins on line {line})" if line else ""
    return UsageError(f"the manifest {name}: {where}{at}: {first['msg']}.", hint="correct that key in it")
