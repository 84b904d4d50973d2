from contextvars import ContextVar
from html import escape

from fastapi import FastAPI
from fastapi.responses import HTMLResponse

app = FastAPI()
coupon_code = ContextVar("coupon_code", default="")


def banner():
    return "<p>Coupon: " + escape(coupon_code.get()) + "</p>"


@app.get("/cart")
async def show_cart(coupon: str = ""):
    coupon_code.set(coupon)
    return HTMLResponse(content=banner())
