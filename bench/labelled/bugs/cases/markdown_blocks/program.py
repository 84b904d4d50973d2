"""A small part of markdown as html."""

import html
import re


def inline(text):
    text = html.escape(text, quote=False)
    text = re.sub(r"`([^`]+)`", r"<code>\1</code>", text)
    text = re.sub(r"\*\*(.+?)\*\*", r"<strong>\1</strong>", text)
    text = re.sub(r"\*(.+?)\*", r"<em>\1</em>", text)
    return re.sub(r"\[([^\]]+)\]\(([^)]+)\)", r'<a href="\2">\1</a>', text)


def heading(line):
    match = re.match(r"(#{1,6}) +(.*?)(?: #+)?$", line)
    if match is None:
        return None
    level = len(match.group(1))
    return f"<h{level}>{inline(match.group(2))}</h{level}>"


def render(text):
    out = []
    paragraph = []
    items = []

    def flush():
        if paragraph:
            out.append(f"<p>{inline(' '.join(paragraph))}</p>")
            paragraph.clear()
        if items:
            out.append("<ul>" + "".join(f"<li>{inline(item)}</li>" for item in items) + "</ul>")
            items.clear()

    for line in text.splitlines():
        line = line.strip()
        if not line:
            flush()
        elif heading(line):
            flush()
            out.append(heading(line))
        elif line.startswith("- "):
            items.append(line[2:])
        else:
            paragraph.append(line)
    return "\n".join(out)
