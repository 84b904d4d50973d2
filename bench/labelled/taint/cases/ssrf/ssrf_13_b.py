import os
import sys
from urllib.request import Request, urlopen

DEFAULT = "https://updates.example.org/latest"


def latest(url=DEFAULT):
    query = Request(url, headers={"User-Agent": "updater"})
    with urlopen(query, timeout=10) as answer:
        return answer.read(100)


def main():
    server = os.environ.get("HTTP_X_UPDATE_SERVER", DEFAULT)
    content = latest(server)
    sys.stdout.write("Content-Type: text/plain\r\n\r\n%d\n" % len(content))


if __name__ == "__main__":
    main()
