from flask import redirect

KNOWN = ("/orders", "/basket", "/account")


def clean(url, fallback):
    return url.strip() if url else fallback


def send_to(url, fallback="/"):
    target = clean(url, fallback)
    return redirect(target, 302)
