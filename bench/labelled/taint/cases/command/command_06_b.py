import subprocess
from enum import Enum

from fastapi import FastAPI
from pydantic import BaseModel

app = FastAPI()


class Target(str, Enum):
    pdf = "pdf"
    odt = "odt"


class Job(BaseModel):
    document: int
    target: Target = Target.pdf


@app.post("/convert")
def convert_document(job: Job):
    target = job.target.value
    command = " ".join(["soffice", "--headless", "--convert-to", target, f"/data/{job.document}.docx"])
    subprocess.check_call(command, shell=True)
    return {"status": "converted"}
