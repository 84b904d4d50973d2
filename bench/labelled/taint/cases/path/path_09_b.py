import shutil
from pathlib import Path

from fastapi import FastAPI, UploadFile

app = FastAPI()
TRACKS = Path("/srv/tracks")


@app.post("/tracks")
def upload_track(file: UploadFile):
    target = TRACKS / (file.filename or "track.gpx")
    with open(target, "wb") as out:
        shutil.copyfileobj(file.file, out)
    return {"stored": True}
