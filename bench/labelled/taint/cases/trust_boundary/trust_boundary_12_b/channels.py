from flask import session

CHANNELS = {"web": 1, "kiosk": 2}


def set_channel(channel):
    session.clear()
    session["channel"] = CHANNELS.get(channel, 1)
    session.permanent = False
    session.modified = True
