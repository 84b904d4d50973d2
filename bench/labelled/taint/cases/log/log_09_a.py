import logging
from html import escape

from bottle import post, request

log = logging.getLogger("mail")


@post("/unsubscribe")
def unsubscribe():
    address = request.forms.get("address") or ""
    address = escape(address)
    log.info("unsubscribed " + address)
    return {"done": True}
