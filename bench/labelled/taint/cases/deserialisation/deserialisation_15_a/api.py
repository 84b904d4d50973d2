from fastapi import FastAPI, Form

from .pipeline import Pipeline

app = FastAPI()


@app.post("/pipelines")
def import_pipeline(definition: str = Form(...)):
    pipeline = Pipeline.from_text(definition)
    if not pipeline.steps:
        return {"error": "no steps"}
    return {"steps": len(pipeline.steps)}
