"""Take urls apart and put them together."""

from urllib.parse import quote, unquote


def parse_query(text):
    """A mapping from name to the list of its values; a bare name has the empty value."""
    result = {}
    for part in text.lstrip("?").split("&"):
        if not part:
            continue
        name, value = part.split("=", 1)
        result.setdefault(unquote(name), []).append(unquote(value.replace("+", " ")))
    return result


def build_query(values):
    parts = []
    for name, entries in values.items():
        for entry in entries if isinstance(entries, list) else [entries]:
            parts.append(f"{quote(name, safe='')}={quote(str(entry), safe='')}")
    return "&".join(parts)


def split_url(url):
    """scheme, host, path and query of an url; absent parts are empty."""
    scheme, found, rest = url.partition("://")
    if not found:
        scheme, rest = "", url
    rest, _, _fragment = rest.partition("#")
    rest, _, query = rest.partition("?")
    host, slash, path = rest.partition("/")
    return scheme.lower(), host.lower(), slash + path, query


def with_parameter(url, name, value):
    scheme, host, path, query = split_url(url)
    values = parse_query(query)
    values[name] = [value]
    return f"{scheme}://{host}{path}?{build_query(values)}"
