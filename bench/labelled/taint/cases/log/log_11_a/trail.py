import logging

logger = logging.getLogger("trail")


def clean(value):
    return "".join(ch for ch in str(value) if ch.isprintable())


def record(event, **details):
    text = ", ".join(f"{key}={clean(value)}" for key, value in details.items())
    logger.info("%s: %s", event, text)
