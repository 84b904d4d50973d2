from flask import Flask, jsonify, request
from lxml import etree

app = Flask(__name__)
CATALOGUE = etree.parse("/srv/data/catalogue.xml")


@app.get("/books")
def find_book():
    author = request.args.get("author", "")
    nodes = CATALOGUE.xpath("//book[author='" + author + "']/title")
    return jsonify(titles=[node.text for node in nodes])
