import getpass
import hashlib
import sys


def hash_with(name, text):
    factory = getattr(hashlib, name)
    return factory(text.encode()).hexdigest()


def main():
    user = sys.argv[1]
    token = getpass.getpass("API token: ")
    line = user + ":" + hash_with("md5", user + token)
    with open("tokens.txt", "a") as handle:
        handle.write(line + "\n")


if __name__ == "__main__":
    main()
