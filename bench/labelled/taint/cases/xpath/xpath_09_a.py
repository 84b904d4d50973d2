from bottle import get, request
from lxml import etree

RECIPES = etree.parse("/srv/data/recipes.xml")


@get("/recipes")
def find_recipe():
    words = [word for word in request.query.words.split(",") if word]
    names = {"w%d" % n: word for n, word in enumerate(words)}
    tests = " and ".join("contains(text, $%s)" % name for name in names) or "true()"
    nodes = RECIPES.xpath("//recipe[" + tests + "]", **names)
    return {"recipes": [node.get("id") for node in nodes]}
