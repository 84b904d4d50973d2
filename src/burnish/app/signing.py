"""Signatures by ssh keys, beside the file they are for: made and checked by ssh-keygen."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from burnish.config.files import user_folder
from burnish.errors import UsageError
from burnish.receipts.verify import Check

NAMESPACE = "burnish-receipt"
SIGNERS_NAME = "allowed_signers"
TIMEOUT_S = 30.0
ENVIRONMENT = {"PATH": "/usr/bin:/bin", "SSH_ASKPASS": "/bin/false", "LC_ALL": "C"}


def signature_of(path: Path) -> Path:
    return path.with_name(f"{path.name}.sig")


async def sign(path: Path, key: Path) -> Path:
    """Sign a file with a private key (or the public key of one in the agent); the signature's path."""
    if not key.is_file():
        raise UsageError(f"expected an ssh key at {key}, found none.", hint="make one: ssh-keygen -t ed25519")
    signature_of(path).unlink(missing_ok=True)
    code, said = await _keygen("-Y", "sign", "-f", str(key), "-n", NAMESPACE, str(path))
    if code != 0 or not signature_of(path).is_file():
        raise UsageError(
            f"ssh-keygen could not sign with {key}: {said}.", hint="is it a private key without a passphrase?"
        )
    return signature_of(path)


@dataclass(frozen=True)
class Signed:
    """`by` names who vouches for the file, `missing` says why none does; a failed check means a forgery."""

    checks: tuple[Check, ...] = ()
    by: str = ""
    missing: str = ""


def users_signers(environ: Mapping[str, str]) -> Path | None:
    """The user's own list of allowed signers, beside their burnish.toml; never one of a repository."""
    path = user_folder(environ) / SIGNERS_NAME
    return path if path.is_file() else None


async def check_signature(path: Path, data: bytes, signers: Path | None) -> Signed:
    """Whether the signature beside `path` covers `data`, and by which of the allowed signers it is."""
    signature = signature_of(path)
    if not signature.is_file():
        return Signed(missing=f"there is no signature beside {path}")
    code, said = await _keygen("-Y", "check-novalidate", *_for(signature), stdin=data)
    if code != 0:
        return Signed((Check("signature", f"{signature.name} is not a signature of this file ({said})"),))
    if signers is None:
        return Signed((Check("signature"),), missing="there is a signature, but no list of allowed signers")
    for name in await _principals(signature, signers):
        code, _ = await _keygen("-Y", "verify", "-f", str(signers), "-I", name, *_for(signature), stdin=data)
        if code == 0:
            return Signed((Check(f"signature by {name}"),), by=f"the signature of {name}")
    return Signed((Check("signature"),), missing=f"its signature is by none of the signers in {signers}")


def _for(signature: Path) -> tuple[str, ...]:
    return "-n", NAMESPACE, "-s", str(signature)


async def _principals(signature: Path, signers: Path) -> list[str]:
    code, said = await _keygen("-Y", "find-principals", "-f", str(signers), "-s", str(signature))
    return said.split() if code == 0 else []


async def _keygen(*arguments: str, stdin: bytes = b"") -> tuple[int, str]:
    program = shutil.which("ssh-keygen")
    if program is None:
        raise UsageError("ssh-keygen was not found on PATH.", hint="install the package openssh-client")
    child = await asyncio.create_subprocess_exec(
        program, *arguments, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT, env=ENVIRONMENT, start_new_session=True,
    )  # fmt: skip
    try:
        async with asyncio.timeout(TIMEOUT_S):
            out, _ = await child.communicate(stdin)
    except TimeoutError:
        child.kill()
        await child.wait()
        return 1, "it did not answer in time"
    return child.returncode or 0, " ".join(out.decode("utf8", "replace").split())
