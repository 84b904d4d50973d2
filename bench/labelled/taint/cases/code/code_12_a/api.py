from fastapi import APIRouter, Body

from . import engine

router = APIRouter()


@router.post("/steps")
async def run_step(payload: dict = Body(...)):
    name = payload.get("name", "step")
    code = payload.get("code", "")
    state = engine.execute(code, {"name": name})
    return {"keys": sorted(state)[:5]}
