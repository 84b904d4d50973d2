import os
import subprocess

RSYNC = "rsync -az --delete"


def push(folder, host):
    if not os.path.isdir(folder):
        return 1
    command = f"{RSYNC} . deploy@{host}:/srv/site"
    return subprocess.call(command, shell=True, cwd=folder)
