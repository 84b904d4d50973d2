"""What `burnish fix` was given: a review folder, an export file, or the id of a review (C-12, C-45, C-83)."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from burnish import codec
from burnish.app.archive import Archive
from burnish.app.dossier_folder import OWN
from burnish.app.place import Place
from burnish.app.spec import RunSpec
from burnish.dossier.dimension import DimensionFile
from burnish.dossier.export import FixExport, findings_of, read_export
from burnish.errors import UsageError
from burnish.git.names import means_git
from burnish.model.assessment import DimensionReport
from burnish.model.dimension import Dimension
from burnish.model.events import StepFinished
from burnish.model.review import Finding
from burnish.model.run_view import RunView
from burnish.repository_files import read_named
from burnish.workflows.aggregate import merge

MAX_BYTES = 64 * 1024 * 1024
HINT = "name a .review folder, an export file, a session (WFS-x) or a run (r-xxxx)"


@dataclass(frozen=True)
class Given:
    """Findings to fix, and the session whose folder the fix session goes into."""

    findings: tuple[Finding, ...]
    session: str
    origin: str
    warnings: tuple[str, ...] = ()


def read_given(place: Place, archive: Archive, word: str) -> Given:
    """Without a word: the newest review of this repository."""
    path = Path(word) if word else None
    if path and path.is_dir():
        return _from_folder(place, path.absolute())
    if path and path.is_file():
        return _from_export(place, path.absolute())
    if word and ("/" in word or word.endswith(".json")):
        raise UsageError(f"expected a review folder or an export file, {word} does not exist.", hint=HINT)
    return _from_journal(archive, _newest(archive, word))


def is_fix_source(word: str) -> bool:
    """A `.review` folder or an export: beside --fix these enter the fix pipeline at once (C-24)."""
    path = Path(word)
    if path.is_dir():
        return path.resolve().name == ".review" or (path / "review-state.json").is_file()
    return path.is_file() and path.suffix == ".json" and "fix-export" in path.name


def _from_folder(place: Place, folder: Path) -> Given:
    """The newest export in it (both spellings of the name), else what its dimensions hold."""
    exports = [*folder.glob("*-fix-export.json"), *folder.glob("fix-export-*.json")]
    newest = max(exports, key=lambda path: path.stat().st_mtime, default=None)
    if newest:
        return _from_export(place, newest)
    pages = sorted((folder / "dimensions").glob("*.json"))
    if not pages:
        raise UsageError(
            f"expected an export or dimensions/*.json in {folder}, found neither.",
            hint="run `burnish review` first",
        )
    reports, warnings = _readable(place.repository.root, pages)
    entries = [_entry(item.model_dump(), report.dimension) for report in reports for item in report.findings]
    export = FixExport.model_validate({"findings": entries})
    # What several dimensions say of one place is one finding, as it was in the review itself.
    found = merge([DimensionReport(Dimension.QUALITY, findings_of(export))])
    return Given(_in_this(place, found, folder), _session_of(folder), str(folder), warnings)


def _readable(root: Path, pages: list[Path]) -> tuple[list[DimensionFile], tuple[str, ...]]:
    """C-80: a dimension that is missing or cannot be read is left out, and that is said."""
    reports, warnings = [], []
    for page in pages:
        try:
            reports.append(DimensionFile.read(_text(root, page), page.name))
        except UsageError as error:
            warnings.append(f"left out: {error.message}")
    there = {page.stem for page in pages}
    warnings += [f"left out: dimensions/{name}.json is not there" for name in Dimension if name not in there]
    if not reports:
        raise UsageError(f"none of the dimension files can be read: {warnings[0]}", hint=HINT)
    return reports, tuple(warnings)


def _entry(item: dict[str, object], dimension: str) -> dict[str, object]:
    about = item.get("metadata")
    known = about if isinstance(about, dict) else {}
    return {
        **item,
        "dimension": dimension,
        "code_context": item.get("snippet", ""),
        "recommendations": [item.get("recommendation", "")],
        "rule": known.get("rule", ""),
        "fingerprint": known.get("fingerprint", ""),
        "cwe": known.get("cwe_id", ""),
    }


def _from_export(place: Place, path: Path) -> Given:
    export = read_export(_text(place.repository.root, path), str(path))
    if export.repository and export.repository != place.repository.id:
        raise UsageError(
            f"{path} is an export of another repository ({export.repository}, here: {place.repository.id}).",
            hint="go there, or make a new review here",
        )
    folder = path.parent
    return Given(_in_this(place, findings_of(export), path), _session_of(folder), str(path))


def _in_this(place: Place, findings: tuple[Finding, ...], origin: Path) -> tuple[Finding, ...]:
    """Paths must lie inside the repository, and some of them must be there."""
    root = place.repository.root
    for finding in findings:
        if finding.file and _leads_out(finding.file):
            raise UsageError(
                f"{origin}: expected paths inside the repository, found {finding.file!r} ({finding.id})."
            )
    placed = [finding for finding in findings if finding.file]
    if placed and not any((root / finding.file).is_file() for finding in placed):
        raise UsageError(
            f"none of the files that {origin} names is in {root}: it is of another repository, or too old.",
            hint="make a new review here",
        )
    return findings


def _leads_out(file: str) -> bool:
    parts = PurePosixPath(file).parts
    unfit = any(part == ".." or means_git(part.encode("utf8", "replace")) for part in parts)
    return unfit or file.startswith("/") or "\0" in file


def _session_of(folder: Path) -> str:
    """The session's name when the folder is one of ours, else none."""
    return folder.parent.name if folder.name == ".review" and f"/{OWN}/sessions/" in f"{folder}/" else ""


def _text(root: Path, path: Path) -> str:
    try:
        data = read_named(root, path, MAX_BYTES)
        if len(data) > MAX_BYTES:
            raise UsageError(f"{path} is larger than {MAX_BYTES // 1024 // 1024} MB.", hint=HINT)
        return data.decode("utf8")
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}.", hint=HINT) from None
    except UnicodeDecodeError:
        raise UsageError(f"invalid export file {path}: not UTF-8.", hint=HINT) from None


def _newest(archive: Archive, word: str) -> RunView:
    if word and not word.startswith("WFS-") and not word.startswith("review-"):
        return archive.run(word)
    for view in archive.runs():
        if view.profile == "review" and (not word or word in _names(view)):
            return view
    what = f"no review {word!r}" if word else "no review yet"
    raise UsageError(f"there is {what} in this repository.", hint="run `burnish review` first")


def _names(view: RunView) -> tuple[str, str]:
    spec: RunSpec = codec.validate(RunSpec, codec.loads(view.spec))
    return (spec.review.session, spec.review.review_id) if spec.review else ("", "")


def _from_journal(archive: Archive, view: RunView) -> Given:
    """The first review of a run: of what the user has, not of what its own fixes made on a branch."""
    reports: dict[str, DimensionReport] = {}
    for recorded in archive.events(view.id):
        event = recorded.event
        if (
            isinstance(event, StepFinished)
            and event.result_type == "DimensionReport"
            and event.step.cycle == 1
        ):
            reports[event.step.part] = codec.validate(DimensionReport, event.result)
    if not reports:
        raise UsageError(f"{view.id} has no finished review to fix.", hint=f"burnish resume {view.id}")
    return Given(merge(reports.values()), _names(view)[0], view.id)
