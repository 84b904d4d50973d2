"""Where people keep secrets: these are blanked in a sandbox even inside folders it may read."""

from __future__ import annotations

import os
from pathlib import Path

_IN_HOME = """
    .ssh .gnupg .aws .azure .kube .docker .netrc .git-credentials .gitconfig .npmrc .yarnrc.yml .pypirc
    .pgpass .my.cnf .boto .s3cfg .vault-token .password-store .terraformrc .databrickscfg .bash_history
    .zsh_history .python_history .node_repl_history .mozilla .thunderbird .cargo/credentials
    .cargo/credentials.toml .config/gh .config/hub .config/glab-cli .config/git .config/gcloud
    .config/op .config/rclone .config/pip .config/google-chrome .config/chromium .config/containers
    .config/doctl .pip .m2/settings.xml .m2/settings-security.xml .gradle/gradle.properties .terraform.d
    .gem/credentials .bundle/config .composer/auth.json .local/share/keyrings
    .local/share/uv/credentials .local/share/containers .local/share/fish/fish_history
"""
IN_HOME = tuple(_IN_HOME.split())
_OF_THE_SYSTEM = """
    /etc/shadow /etc/shadow- /etc/gshadow /etc/gshadow- /etc/sudoers /etc/sudoers.d /etc/ssl/private
    /etc/krb5.keytab /etc/docker /etc/kubernetes /etc/rancher /etc/wireguard
    /etc/NetworkManager/system-connections /var/lib/kubelet /var/lib/docker /var/lib/containerd
    /var/spool/cron /var/mail
"""
OF_THE_SYSTEM = tuple(_OF_THE_SYSTEM.split())


def in_home(home: Path) -> tuple[Path, ...]:
    """What is there of the known places in this home folder."""
    return tuple(home / name for name in IN_HOME if os.path.lexists(f"{home}/{name}"))


def of_the_system() -> tuple[Path, ...]:
    """Files that only root may read, as far as we may: Burnish may be run by root."""
    keys = sorted(Path("/etc/ssh").glob("ssh_host_*_key")) if os.path.isdir("/etc/ssh") else []  # noqa: PTH112
    return tuple(path for path in (*map(Path, OF_THE_SYSTEM), *keys) if os.access(path, os.R_OK))
