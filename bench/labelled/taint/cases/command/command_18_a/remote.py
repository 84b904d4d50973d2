import os
import subprocess

RSYNC = "rsync -az --delete"


def push(folder, host):
    if not os.path.isdir(folder):
        return 1
    command = [*RSYNC.split(), "--", ".", f"deploy@{host}:/srv/site"]
    return subprocess.call(command, cwd=folder)
