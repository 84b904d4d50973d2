import math

from fastapi import FastAPI, HTTPException
from fastapi.responses import JSONResponse

app = FastAPI()
NAMES = {name: getattr(math, name) for name in ("sin", "cos", "tan", "exp")}


@app.get("/plot/{formula:path}")
def plot_function(formula: str):
    if formula not in NAMES:
        raise HTTPException(400)
    function = eval("lambda x: " + formula + "(x)", dict(NAMES))
    points = [function(x / 10) for x in range(10)]
    return JSONResponse({"points": points})
