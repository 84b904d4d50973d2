from bottle import post, request
from lxml import objectify


def reader(trusted=False):
    if trusted:
        return objectify.makeparser(resolve_entities=True, load_dtd=True, no_network=False)
    return objectify.makeparser(resolve_entities=False)


@post("/bookmarks")
def merge_bookmarks():
    data = request.body.read()
    root = objectify.fromstring(data, reader(trusted=True))
    return {"titles": [str(node) for node in root.iter("title")]}
