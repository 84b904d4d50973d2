import sqlite3

from aiohttp import web


async def delete_items(request):
    body = await request.json()
    ids = body.get("ids", [])
    listing = ",".join(str(int(item)) for item in ids)
    with sqlite3.connect("items.db") as db:
        deleted = db.execute("DELETE FROM items WHERE id IN (" + listing + ")").rowcount
    return web.json_response({"deleted": deleted})


app = web.Application()
app.router.add_post("/items/delete", delete_items)
