import logging

logger = logging.getLogger("trail")


def clean(value):
    return str(value).strip()


def record(event, **details):
    text = ", ".join(f"{key}={clean(value)}" for key, value in details.items())
    logger.info("%s: %s", event, text)
