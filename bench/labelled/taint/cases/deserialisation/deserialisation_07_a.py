import json
import pickle

from fastapi import FastAPI, Request

app = FastAPI()
READERS = {"json": json.loads, "pickle": pickle.loads}


@app.post("/tasks")
async def submit_task(request: Request):
    body = await request.body()
    reader = READERS["json"]
    task = reader(body)
    return {"fields": len(task)}
