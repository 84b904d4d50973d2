import logging

from bottle import post, request

log = logging.getLogger("mail")


@post("/unsubscribe")
def unsubscribe():
    address = request.forms.get("address") or ""
    address = " ".join(address.split())
    log.info("unsubscribed " + address)
    return {"done": True}
