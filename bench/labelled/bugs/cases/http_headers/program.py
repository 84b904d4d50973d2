"""Headers of http messages."""


class Headers:
    """A mapping that does not care about capital letters."""

    def __init__(self, pairs=()):
        self._pairs = []
        for name, value in pairs:
            self.add(name, value)

    def add(self, name, value):
        self._pairs.append((name, value))

    def get(self, name, default=None):
        for known, value in self._pairs:
            if known.lower() == name.lower():
                return value
        return default

    def get_all(self, name):
        return [value for known, value in self._pairs if known.lower() == name.lower()]


def parse_accept(text):
    """Pairs of media type and quality, best first; equal ones as they came."""
    found = []
    for part in text.split(","):
        pieces = [piece.strip() for piece in part.split(";")]
        quality = 0.0
        for piece in pieces[1:]:
            name, _, value = piece.partition("=")
            if name.strip() == "q":
                quality = float(value)
        if pieces[0]:
            found.append((pieces[0], quality))
    return sorted(found, key=lambda pair: -pair[1])


def choose(accept, offered):
    for kind, quality in parse_accept(accept):
        if quality <= 0:
            continue
        for offer in offered:
            if kind in ("*/*", offer) or kind == offer.split("/")[0] + "/*":
                return offer
    return None
