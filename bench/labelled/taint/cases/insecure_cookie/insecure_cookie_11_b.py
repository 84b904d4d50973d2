from aiohttp import web
from aiohttp_session import setup
from aiohttp_session.cookie_storage import EncryptedCookieStorage

from .routes import routes


def make_app(key):
    app = web.Application()
    app.add_routes(routes)
    storage = EncryptedCookieStorage(key, cookie_name="DESK", httponly=True, secure=False)
    setup(app, storage)
    return app
