from bottle import get, request
from lxml import etree

RECIPES = etree.parse("/srv/data/recipes.xml")


@get("/recipes")
def find_recipe():
    words = [word for word in request.query.words.split(",") if word]
    tests = " and ".join("contains(text, '%s')" % word for word in words) or "true()"
    nodes = RECIPES.xpath("//recipe[" + tests + "]")
    return {"recipes": [node.get("id") for node in nodes]}
