from fastapi import FastAPI
from fastapi.responses import RedirectResponse

app = FastAPI()
REGIONS = {"eu": "eu.example.org", "us": "us.example.org"}


@app.get("/region")
def pick_region(region: str = "eu", path: str = ""):
    host = REGIONS.get(region, REGIONS["eu"])
    return RedirectResponse(f"https://{host}/start?from={len(path)}")


@app.get("/regions")
def regions():
    return sorted(REGIONS)
