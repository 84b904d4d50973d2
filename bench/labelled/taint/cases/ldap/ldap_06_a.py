import re

from fastapi import FastAPI, HTTPException
from ldap3 import Connection, Server
from pydantic import BaseModel

app = FastAPI()
SERIAL = re.compile(r"^[A-Z0-9]{6,12}$")


class Device(BaseModel):
    serial: str
    site: str = "main"


@app.post("/devices/find")
def find_device(device: Device):
    if not SERIAL.fullmatch(device.serial):
        raise HTTPException(422)
    connection = Connection(Server("ldap.internal"), auto_bind=True)
    criteria = f"(&(serialNumber={device.serial})(l={device.site}))"
    found = connection.search("ou=devices,dc=example,dc=org", criteria)
    return {"found": found}
