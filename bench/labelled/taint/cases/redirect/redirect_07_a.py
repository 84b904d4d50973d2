from fastapi import FastAPI, Request
from fastapi.responses import RedirectResponse

app = FastAPI()


@app.get("/oauth/callback")
async def oauth_callback(request: Request, code: str, state: str = "/"):
    known = len(code) == 32
    target = "/dashboard" if known else "/login"
    response = RedirectResponse(target, status_code=302)
    response.headers["Referrer-Policy"] = "no-referrer"
    return response
