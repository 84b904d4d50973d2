from fastapi import FastAPI
from lxml import etree

app = FastAPI()


def entries():
    return etree.parse("/srv/data/journal.xml")


@app.get("/journal/{position}")
def nth_entry(position: int):
    nodes = entries().xpath("/journal/entry[{}]".format(position))
    return {"entries": [node.get("day") for node in nodes]}


@app.get("/journal")
def total():
    return {"total": len(entries().getroot())}
