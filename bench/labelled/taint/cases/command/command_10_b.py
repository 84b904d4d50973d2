import os
import sys


def tail(path, lines):
    return os.system(f"tail -n {lines} /var/log/{path}.log")


def main():
    if len(sys.argv) < 3:
        print("usage: taillog NAME LINES")
        return 2
    name, lines = sys.argv[1], int(sys.argv[2])
    return tail(name, lines)


if __name__ == "__main__":
    sys.exit(main())
