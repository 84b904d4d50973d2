import os
import subprocess

ROOT = "/srv/shares"


def pack(folder, level):
    source = os.path.join(ROOT, folder)
    target = "/tmp/share.tar.gz"
    subprocess.run(f"tar -c {source} | gzip -{level} > {target}", shell=True, check=True)
    return os.path.getsize(target)
