from io import BytesIO

from fastapi import FastAPI, Request
from lxml import etree

app = FastAPI()


@app.put("/records")
async def stream_records(request: Request):
    body = BytesIO(await request.body())
    names = []
    for _, element in etree.iterparse(body, tag="record", load_dtd=True, resolve_entities=True):
        names.append(element.text)
        element.clear()
    return {"names": names}
