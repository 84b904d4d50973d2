import xml.dom.minidom
import xml.sax
from io import BytesIO
from xml.sax.handler import feature_external_ges

from fastapi import FastAPI, UploadFile

app = FastAPI()


@app.post("/gpx")
async def parse_gpx(file: UploadFile):
    content = await file.read()
    parser = xml.sax.make_parser()
    parser.setFeature(feature_external_ges, 1)
    document = xml.dom.minidom.parse(BytesIO(content), parser)
    points = document.getElementsByTagName("trkpt")
    names = [node.firstChild.data for node in document.getElementsByTagName("name")]
    return {"points": len(points), "names": names}
