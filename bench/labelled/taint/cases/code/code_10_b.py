import os
import sys


def load_limits(text):
    pairs = (item.split("=", 1) for item in text.split(";") if "=" in item)
    return {name: float(value) for name, value in pairs}


def main():
    limits = load_limits(os.environ.get("LIMITS", "cpu=1;memory=512"))
    for name in sorted(limits):
        print(len(name), limits[name])
    return 0


if __name__ == "__main__":
    sys.exit(main())
