import os
import sys

NOTES = os.path.join("/srv", "notes")


def read_note(name):
    name = os.path.split(name)[1] or "index"
    path = os.path.join(NOTES, name)
    with open(path + ".txt") as handle:
        return handle.read()


def main():
    name = os.environ.get("PATH_INFO", "/index").lstrip("/")
    sys.stdout.write("Content-Type: text/plain\n\n")
    sys.stdout.write(read_note(name))


if __name__ == "__main__":
    main()
