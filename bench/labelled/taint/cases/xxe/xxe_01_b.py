from flask import Flask, jsonify, request
from lxml import etree

app = Flask(__name__)


@app.post("/feed")
def import_feed():
    parser = etree.XMLParser(resolve_entities=False, load_dtd=False, no_network=True)
    root = etree.fromstring(request.data, parser)
    items = root.findall("item")
    return jsonify(items=[item.findtext("title") for item in items])
