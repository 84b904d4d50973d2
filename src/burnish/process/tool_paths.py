"""Which hidden folders a program on PATH still needs to run: its virtual environment, its version manager."""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path

from burnish.errors import BurnishError
from burnish.process.program import Lookup, needed_files

# A path with one of these sequences of names in it belongs to the tool whose folder that is.
_ROOTS = """
    .pyenv .nvm .rustup .asdf .sdkman .volta .fnm .bun .deno .rbenv .nodenv .nix-profile .dotnet .opam
    .ghcup .juliaup .elan .pixi .linuxbrew miniconda3 anaconda3 miniforge3 .cargo/bin .local/bin
    .local/lib .local/pipx .local/share/pipx .local/share/mise .local/share/uv .local/share/fnm
    .local/share/pnpm .local/share/claude .local/share/virtualenvs .local/share/rtx .local/state/nix
    go/bin .local/share/npm node_modules
"""
ROOTS = tuple(tuple(root.split("/")) for root in _ROOTS.split())
BESIDE_BIN = ("lib", "lib64", "libexec", "share")
GOES_WITH: dict[tuple[str, ...], tuple[str, ...]] = {(".cargo", "bin"): (".rustup",)}
MAX_ENTRIES = 5000


@lru_cache(maxsize=64)
def tool_paths(path: str, program: Path, hidden: tuple[Path, ...]) -> tuple[Path, ...]:
    """What inside `hidden` (real paths) must be readable for `program` and everything on PATH to run."""
    lookup = Lookup(path, Path("/"))
    found: dict[Path, None] = {}
    for folder in lookup.folders:
        # Also those that are not hidden themselves: what they link to may be.
        _add(found, _roots(folder), hidden)
        _add(found, (root for target in _led_to(folder) for root in _roots(target)), hidden)
    for file in _files(program, lookup):
        for hop in _hops(file):
            if _coverable(hop, hidden):
                found.setdefault(hop)
                _add(found, _roots(hop.parent, only_known=True), hidden)
    return tuple(path for path in found if path.exists())


def _files(program: Path, lookup: Lookup) -> list[Path]:
    try:
        return needed_files(program, lookup)
    except BurnishError:
        return [program]


def _add(found: dict[Path, None], roots: Iterable[Path], hidden: tuple[Path, ...]) -> None:
    for root in roots:
        if root in found:
            continue
        if _coverable(root, hidden):
            found[root] = None
        base = _base_of(root / "pyvenv.cfg")
        _add(found, _roots(base) if base else (), hidden)


def _coverable(path: Path, hidden: tuple[Path, ...]) -> bool:
    """Inside a hidden folder, and not so high that showing it would show the hidden folder itself."""
    if any(folder.is_relative_to(path) for folder in hidden):
        return False
    real = Path(os.path.realpath(path))
    return any(path.is_relative_to(folder) or real.is_relative_to(folder) for folder in hidden)


def _roots(folder: Path, *, only_known: bool = False) -> Iterator[Path]:
    """What belongs to a folder of programs, in the widest sense that holds no one's private files."""
    known = _known_root(folder)
    if known:
        yield from known
        return
    above = folder.parent
    if (above / "pyvenv.cfg").is_file() or (above / "conda-meta").is_dir():
        yield above
        return
    if only_known:
        return
    yield folder
    if folder.name in ("bin", "sbin", "shims") and above.name != ".local":
        yield from (above / name for name in BESIDE_BIN if (above / name).is_dir())


def _known_root(folder: Path) -> list[Path]:
    parts = folder.parts
    for root in ROOTS:
        for start in range(len(parts) - len(root) + 1):
            if parts[start : start + len(root)] == root:
                top = Path(*parts[:start])
                return [top.joinpath(*root), *(top / name for name in GOES_WITH.get(root, ()))]
    return []


@lru_cache(maxsize=256)
def _led_to(folder: Path) -> tuple[Path, ...]:
    """The other folders that the links in a folder of programs lead to."""
    try:
        with os.scandir(folder) as entries:
            links = [entry.path for entry in itertools.islice(entries, MAX_ENTRIES) if entry.is_symlink()]
    except OSError:
        return ()
    folders = {os.path.dirname(os.path.realpath(link)) for link in links}  # noqa: PTH120 - many, so no objects
    return tuple(Path(name) for name in sorted(folders - {str(folder)}))


def _hops(file: Path) -> Iterator[Path]:
    """A file, and each place its chain of links leads through."""
    for _ in range(40):
        yield file
        if not file.is_symlink():
            break
        file = Path(os.path.normpath(file.parent / file.readlink()))
    yield Path(os.path.realpath(file))


def _base_of(config: Path) -> Path | None:
    """The folder of the interpreter that a virtual environment stands on."""
    try:
        lines = config.read_text("utf8", "replace").splitlines()
    except OSError:
        return None
    for line in lines:
        key, _, value = line.partition("=")
        if key.strip() == "home" and value.strip():
            return Path(value.strip())
    return None
