import json
import logging

from fastapi import FastAPI, Request

app = FastAPI()


@app.post("/client-errors")
async def client_error(request: Request):
    body = await request.json()
    try:
        message = body["message"]
    except (KeyError, TypeError):
        message = "nothing given"
    logging.getLogger("client").info("client said: " + json.dumps(message))
    return {"logged": True}
