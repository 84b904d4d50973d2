import io
import os
import sys
from xml.dom import pulldom
from xml.sax import make_parser
from xml.sax.handler import feature_external_ges


def titles(source):
    parser = make_parser()
    parser.setFeature(feature_external_ges, True)
    stream = pulldom.parse(source, parser=parser)
    for event, node in stream:
        if event == pulldom.START_ELEMENT and node.tagName == "title":
            stream.expandNode(node)
            yield node.toxml()


def main():
    size = int(os.environ.get("CONTENT_LENGTH", "0"))
    body = sys.stdin.buffer.read(size)
    sys.stdout.write("Content-Type: text/plain\r\n\r\n")
    for title in titles(io.BytesIO(body)):
        print(title)


if __name__ == "__main__":
    main()
