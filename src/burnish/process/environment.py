"""What a child may know of our environment: an allow-list, never the whole of it."""

from __future__ import annotations

import fnmatch
import os
from collections.abc import Iterable, Mapping
from pathlib import Path

_ALLOWED = """
    PATH HOME USER LOGNAME SHELL TERM COLORTERM NO_COLOR TZ TMPDIR LANG LANGUAGE LC_ALL LC_ADDRESS
    LC_COLLATE LC_CTYPE LC_IDENTIFICATION LC_MEASUREMENT LC_MESSAGES LC_MONETARY LC_NAME LC_NUMERIC
    LC_PAPER LC_TELEPHONE LC_TIME SSL_CERT_FILE SSL_CERT_DIR REQUESTS_CA_BUNDLE CURL_CA_BUNDLE
    NODE_EXTRA_CA_CERTS XDG_CONFIG_HOME XDG_DATA_HOME XDG_CACHE_HOME XDG_STATE_HOME PYENV_ROOT
    PYENV_VERSION PYTHONDONTWRITEBYTECODE PYTHONUTF8 NVM_DIR VOLTA_HOME CARGO_HOME RUSTUP_HOME
    RUSTUP_TOOLCHAIN ASDF_DIR ASDF_DATA_DIR MISE_DATA_DIR SDKMAN_DIR JAVA_HOME GOROOT GOPATH
"""
# Whole names only: `LC_*` would pass a LC_SECRET.
ALLOWED = frozenset(_ALLOWED.split())
PROXIES = ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY")
CERTIFICATES = (
    "SSL_CERT_FILE",
    "SSL_CERT_DIR",
    "REQUESTS_CA_BUNDLE",
    "CURL_CA_BUNDLE",
    "NODE_EXTRA_CA_CERTS",
)


def child_environment(environ: Mapping[str, str], names: Iterable[str] = ()) -> dict[str, str]:
    """The variables on our list and those passed by name (`NAME` or `PREFIX_*`).

    `GIT_*` never: those would point a child's git at our repositories. A proxy address with a password in
    it is only passed by name.
    """
    explicit = tuple(names)
    kept = {
        name: value
        for name, value in environ.items()
        if not name.startswith("GIT_")
        and (name in ALLOWED or _matches(name, explicit) or _harmless_proxy(name, value))
    }
    if "PATH" in kept:
        kept["PATH"] = absolute_path(kept["PATH"])
    return kept


def absolute_path(path: str) -> str:
    """PATH without relative entries: in a child those would mean its workspace."""
    return os.pathsep.join(entry for entry in path.split(os.pathsep) if Path(entry).is_absolute())


def certificate_paths(env: Mapping[str, str]) -> tuple[Path, ...]:
    return tuple(Path(env[name]) for name in CERTIFICATES if env.get(name))


def _matches(name: str, patterns: Iterable[str]) -> bool:
    return any(fnmatch.fnmatchcase(name, pattern) for pattern in patterns)


def _harmless_proxy(name: str, value: str) -> bool:
    return name.upper() in PROXIES and "@" not in value
