from fastapi import FastAPI
from starlette.middleware.sessions import SessionMiddleware

from .settings import load


def create_app():
    settings = load()
    app = FastAPI(title="Desk")
    app.add_middleware(
        SessionMiddleware,
        secret_key=settings.session_key,
        same_site="lax",
        https_only=True,
    )
    return app
