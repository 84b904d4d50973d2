import re

BOLD = re.compile(r"\*\*(.+?)\*\*")


def to_html(source):
    paragraphs = []
    for block in source.split("\n\n"):
        paragraphs.append("<p>" + BOLD.sub(r"<b>\1</b>", block) + "</p>")
    return "\n".join(paragraphs)
