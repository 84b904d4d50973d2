import re

from fastapi import HTTPException, Query

NAME = re.compile(r"[a-z]{1,12}-\d{1,4}")


def sensor_name(sensor: str = Query(...)):
    if not NAME.search(sensor):
        raise HTTPException(422, "not a sensor")
    return sensor
