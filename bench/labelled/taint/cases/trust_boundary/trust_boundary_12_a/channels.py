from flask import session

CHANNELS = {"web": 1, "kiosk": 2}


def set_channel(channel):
    session.clear()
    session["channel"] = channel
    session.permanent = False
    session.modified = True
