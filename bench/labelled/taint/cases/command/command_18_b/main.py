import sys

from remote import push


def sync(argv):
    host = argv[1]
    folders = argv[2:] or ["."]
    for folder in folders:
        code = push(folder, host)
        if code:
            return code
    return 0


if __name__ == "__main__":
    sys.exit(sync(sys.argv))
