import datetime
import shutil

from fastapi import FastAPI

app = FastAPI()


@app.post("/archive/remove")
async def archive_day(day: datetime.date):
    folder = f"/srv/archive/{day}"
    shutil.rmtree(folder, ignore_errors=True)
    return {"removed": True}


@app.get("/archive/health")
async def health():
    return {"ok": True}
