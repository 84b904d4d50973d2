"""Signatures by ssh keys, beside the file they are for: made and checked by ssh-keygen."""

from __future__ import annotations

import asyncio
import shutil
from pathlib import Path

from burnish.errors import UsageError
from burnish.receipts.verify import Check

NAMESPACE = "burnish-receipt"
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


async def check_signature(path: Path, signers: Path | None) -> list[Check]:
    """Nothing where there is no signature and none is asked for."""
    signature = signature_of(path)
    if not signature.is_file():
        return [Check("signature", f"there is none beside {path}")] if signers else []
    if signers is None:
        return [await _checked("signature (by whom is not checked)", path, "check-novalidate")]
    for name in await _principals(signature, signers):
        return [await _checked(f"signature by {name}", path, "verify", "-f", str(signers), "-I", name)]
    return [Check("signature", f"nobody in {signers} signed it")]


async def _checked(name: str, path: Path, *how: str) -> Check:
    code, said = await _keygen(
        "-Y", *how, "-n", NAMESPACE, "-s", str(signature_of(path)), stdin=path.read_bytes()
    )
    return Check(name, "" if code == 0 else said)


async def _principals(signature: Path, signers: Path) -> list[str]:
    arguments = ("-Y", "find-principals", "-f", str(signers), "-s", str(signature))
    code, said = await _keygen(*arguments)
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
