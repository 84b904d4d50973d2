from pathlib import Path

from fastapi import FastAPI, HTTPException
from fastapi.responses import FileResponse

app = FastAPI()
DOCUMENTS = Path("/srv/documents")


@app.get("/documents/{name:path}")
def get_document(name: str):
    candidate = DOCUMENTS / name
    if ".." in Path(name).parts or Path(name).is_absolute():
        raise HTTPException(404)
    return FileResponse(candidate)
