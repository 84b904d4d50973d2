import os

from fastapi import FastAPI, Header

app = FastAPI()
ROOT = "/srv/shared"


@app.get("/folder")
def list_folder(x_folder: str = Header("public")):
    folder = os.path.abspath(os.path.join(ROOT, x_folder))
    if os.path.commonpath([folder, ROOT]) != ROOT:
        return {"error": "outside"}
    return {"names": os.listdir(folder)}
