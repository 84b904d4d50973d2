import logging

from fastapi import FastAPI
from pydantic import BaseModel

app = FastAPI()
logger = logging.getLogger("uvicorn.error")


class Problem(BaseModel):
    title: str
    severity: int = 1


@app.post("/problems")
async def report_problem(problem: Problem):
    summary = "problem %s (%d)" % (len(problem.title), problem.severity)
    logger.error(summary)
    return {"received": True}
