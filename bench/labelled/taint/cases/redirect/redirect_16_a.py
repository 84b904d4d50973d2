from fastapi import FastAPI, Request
from fastapi.responses import RedirectResponse

app = FastAPI()


@app.get("/resume")
async def resume(request: Request):
    places = request.query_params.getlist("place")
    places.insert(0, "/start")
    last = places.pop()
    return RedirectResponse(last, status_code=307)


@app.get("/start")
async def start():
    return {"page": "start"}
