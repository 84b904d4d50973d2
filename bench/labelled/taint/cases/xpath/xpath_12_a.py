from fastapi import FastAPI, HTTPException
from lxml import etree

app = FastAPI()
PARTS = etree.parse("/srv/data/parts.xml")


def quoted(text):
    if "'" in text:
        raise HTTPException(400)
    return "'" + text + "'"


@app.get("/parts")
def find_part(number: str):
    nodes = PARTS.xpath("//part[number=" + quoted(number) + "]")
    return {"parts": [node.get("id") for node in nodes]}
