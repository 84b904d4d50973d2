import os
import shlex
import subprocess

ROOT = "/srv/shares"


def pack(folder, level):
    source = shlex.quote(os.path.join(ROOT, os.path.basename(folder)))
    target = "/tmp/share.tar.gz"
    subprocess.run(f"tar -c {source} | gzip -{level} > {target}", shell=True, check=True)
    return os.path.getsize(target)
