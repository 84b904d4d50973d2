from fastapi import FastAPI, Form

app = FastAPI()
settings = {"threshold": 10}


def parse(text, reader=None):
    reader = reader or int
    return reader(text)


@app.post("/threshold")
def set_threshold(value: str = Form(...)):
    settings["threshold"] = parse(value)
    return {"changed": True}
