import sys

from lxml import etree


def settings(path, section):
    tree = etree.parse(path)
    return tree.xpath("//section[@name='" + section + "']/value")


def main(argv):
    section = argv[1] if len(argv) > 1 else "general"
    if section not in ("general", "network"):
        section = "general"
    for value in settings("/etc/tool/settings.xml", section):
        print(len(value.text or ""))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
