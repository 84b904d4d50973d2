import string
import sys
from secrets import choice


def make_password(length):
    letters = string.ascii_letters + string.digits
    return "".join(choice(letters) for _ in range(length))


def main():
    length = int(sys.argv[1]) if len(sys.argv) > 1 else 16
    print(make_password(max(length, 12)))


if __name__ == "__main__":
    main()
