import random
import string
import sys


def make_password(length):
    letters = string.ascii_letters + string.digits
    return "".join(random.choices(letters, k=length))


def main():
    length = int(sys.argv[1]) if len(sys.argv) > 1 else 16
    print(make_password(max(length, 12)))


if __name__ == "__main__":
    main()
