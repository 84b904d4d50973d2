from fastapi import FastAPI, Request
from starlette.middleware.sessions import SessionMiddleware

from .config import SESSION_KEY

app = FastAPI()
app.add_middleware(SessionMiddleware, secret_key=SESSION_KEY, https_only=True)


@app.post("/page-size")
async def set_page_size(request: Request, size: int):
    request.session["page_size"] = size
    return {"ok": True}
