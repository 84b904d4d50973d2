import os
import secrets
import sys
from http.cookies import SimpleCookie


def main():
    known = SimpleCookie(os.environ.get("HTTP_COOKIE", ""))
    cookie = SimpleCookie()
    cookie["session"] = secrets.token_hex(16)
    cookie["session"]["httponly"] = True
    cookie["session"]["secure"] = True
    sys.stdout.write(cookie.output() + "\r\n")
    sys.stdout.write("Content-Type: text/plain\r\n\r\n%d\n" % len(known))


if __name__ == "__main__":
    main()
