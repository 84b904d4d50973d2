from io import BytesIO

from flask import Flask, jsonify, request
from lxml import etree

app = Flask(__name__)
OPTIONS = {"remove_blank_text": True, "resolve_entities": False}


def make_parser(**changes):
    return etree.XMLParser(**{**OPTIONS, **changes})


@app.post("/orders")
def upload_order():
    document = BytesIO(request.files["order"].read())
    tree = etree.parse(document, make_parser(resolve_entities=True, no_network=False))
    return jsonify(total=tree.getroot().get("total"))
