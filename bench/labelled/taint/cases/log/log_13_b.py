import logging

from fastapi import FastAPI

app = FastAPI()
log = logging.getLogger("visits")


@app.get("/visit")
async def note_visit(visitor: str, page: int = 1):
    message = "visitor {v} saw page {p}".format(v=visitor, p=page)
    log.log(logging.INFO, message)
    return {"page": page}
