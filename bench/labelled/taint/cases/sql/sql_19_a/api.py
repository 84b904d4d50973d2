from fastapi import APIRouter, Depends

from .deps import sensor_name
from .storage import latest

router = APIRouter()


@router.get("/sensors/latest")
def read_sensor(name: str = Depends(sensor_name)):
    value = latest(name)
    return {"value": value}
