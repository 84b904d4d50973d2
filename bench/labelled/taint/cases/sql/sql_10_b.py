import asyncpg
from starlette.applications import Starlette
from starlette.responses import JSONResponse
from starlette.routing import Route


async def stats(request):
    period = request.query_params.get("period", "day")
    connection = await asyncpg.connect("postgresql://localhost/metrics")
    try:
        value = await connection.fetchval("SELECT count(*) FROM hits_" + period)
    finally:
        await connection.close()
    return JSONResponse({"hits": value})


app = Starlette(routes=[Route("/stats", stats)])
