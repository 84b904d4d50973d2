import base64
import os
import sys


def decode(text):
    return base64.urlsafe_b64decode(text.encode())


def main():
    encoded = os.environ.get("HTTP_X_JOB", "")
    job = decode(encoded) if encoded else None
    sys.stdout.write("Content-Type: text/plain\r\n\r\n")
    sys.stdout.write("job\n" if job else "none\n")


if __name__ == "__main__":
    main()
