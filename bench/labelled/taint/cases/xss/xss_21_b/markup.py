from html import escape

LEVELS = ("info", "warning")


def box(text, level="info"):
    css = level if level else LEVELS[0]
    body = escape(text)
    if not body:
        return ""
    return "<div class=%s>%s</div>" % (css, body)
