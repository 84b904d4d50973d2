import aiomysql
from aiohttp import web


async def find_tickets(request):
    state = request.query.get("state", "open")
    owner = request.query.get("owner", "")
    parts = [state, owner]
    async with aiomysql.connect(db="desk") as connection:
        async with connection.cursor() as cursor:
            await cursor.execute("SELECT id FROM tickets WHERE owner = %s", parts[1:])
            rows = await cursor.fetchall()
    return web.json_response({"ids": [row[0] for row in rows]})
