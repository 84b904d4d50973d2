"""fix-export-<ms>.json: the findings somebody wants fixed; ours, a dashboard's, or written by hand."""

from __future__ import annotations

from typing import Any

from pydantic import ConfigDict, Field, ValidationError

from burnish import codec
from burnish.dossier.page import Page
from burnish.errors import UsageError
from burnish.model.review import Finding, Severity

HINT = "`burnish fix` takes a .review folder, an export of it, or the id of a review"


class ExportedFinding(Page):
    """Fields of the seed; those that are ours stand below them and may be missing in somebody else's."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    id: str = Field(min_length=1)
    title: str = Field(min_length=1)
    description: str = ""
    severity: Severity
    dimension: str = "quality"
    category: str = "uncategorized"
    file: str = ""
    line: int | None = None
    code_context: str = ""
    recommendations: list[str] = Field(default_factory=list)
    root_cause: str | None = None
    rule: str = ""
    same_rules: list[str] = Field(default_factory=list)
    fingerprint: str = ""
    cwe: str = ""


class FixExport(Page):
    model_config = ConfigDict(frozen=True, extra="ignore")

    export_id: str = ""
    export_timestamp: str = ""
    review_id: str = ""
    session_id: str = ""
    findings_count: int = 0
    repository: str = ""
    findings: list[ExportedFinding]


def export_of(findings: tuple[Finding, ...], export_id: str, at: str, ids: tuple[str, str, str]) -> FixExport:
    """`ids` are the review's, the session's and the repository's."""
    review_id, session_id, repository = ids
    return FixExport(
        export_id=export_id,
        export_timestamp=at,
        review_id=review_id,
        session_id=session_id,
        findings_count=len(findings),
        repository=repository,
        findings=[_exported(finding) for finding in findings],
    )


def read_export(text: str, name: str) -> FixExport:
    """An export, or a bare array of findings. A file that is neither is refused in one sentence (C-83)."""
    try:
        found: Any = codec.loads(text)
        if isinstance(found, list):
            found = {"findings": found}
        return FixExport.model_validate(found)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"]) or "the file"
        raise UsageError(f"invalid export file {name}: {where}: {first['msg']}.", hint=HINT) from None
    except ValueError as error:
        raise UsageError(f"invalid export file {name}: not JSON: {error}.", hint=HINT) from None


def findings_of(export: FixExport) -> tuple[Finding, ...]:
    return tuple(
        Finding(
            item.title,
            severity=item.severity,
            file=item.file,
            line=item.line,
            detail=item.root_cause or item.description,
            suggestion="; ".join(item.recommendations),
            category=item.category,
            dimension=item.dimension,
            id=item.id,
            rule=item.rule,
            tools=(item.rule.partition(":")[0],) if item.rule else (),
            same_rules=tuple(item.same_rules),
            snippet=item.code_context,
            identity=item.fingerprint,
            cwe=item.cwe,
        )
        for item in export.findings
    )


def _exported(finding: Finding) -> ExportedFinding:
    return ExportedFinding(
        id=finding.id,
        title=finding.title,
        description=finding.detail,
        severity=finding.severity,
        dimension=finding.dimension,
        category=finding.category or "uncategorized",
        file=finding.file,
        line=finding.line,
        code_context=finding.snippet,
        recommendations=[finding.suggestion] if finding.suggestion else [],
        rule=finding.rule,
        same_rules=list(finding.same_rules),
        fingerprint=finding.fingerprint,
        cwe=finding.cwe,
    )
