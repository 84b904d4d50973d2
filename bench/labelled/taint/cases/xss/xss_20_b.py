import os
import sys
from urllib.parse import parse_qs


def page(title):
    return "<html><head><title>%s</title></head></html>" % title


def main():
    query = parse_qs(os.environ.get("QUERY_STRING", ""))
    title = query.get("title", ["Home"])[0]
    sys.stdout.write("Content-Type: text/html\r\n\r\n")
    sys.stdout.write(page(title))


if __name__ == "__main__":
    main()
