from fastapi import FastAPI, Request
from fastapi.responses import HTMLResponse

app = FastAPI()


class LookupFailed(Exception):
    def __init__(self, key):
        self.key = key


@app.exception_handler(LookupFailed)
async def lookup_failed(request: Request, error: LookupFailed):
    return HTMLResponse("<p>No entry " + error.key + "</p>", status_code=404)


@app.get("/entry")
async def show_error(key: str):
    raise LookupFailed(key)
