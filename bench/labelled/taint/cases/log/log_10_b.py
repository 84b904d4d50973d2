import logging
import os
from urllib.parse import parse_qs

logging.basicConfig(filename="/var/log/form.log", level=logging.INFO)


def main():
    fields = parse_qs(os.environ.get("QUERY_STRING", ""))
    subject = fields.get("subject", ["none"])[0]
    subject = "contact"
    logging.info("form sent: %s", subject)
    print("Content-Type: text/plain\r\n\r\nthank you")


if __name__ == "__main__":
    main()
