import sqlite3

from aiohttp import web


class Store:
    def __init__(self, path):
        self.db = sqlite3.connect(path)

    def __call__(self, query, *params):
        return self.db.execute(query, params).fetchall()


store = Store("words.db")


async def lookup_word(request):
    word = request.query.get("word", "")
    word = word.replace("'", "\\'")
    rows = store("SELECT meaning FROM words WHERE word = ?", word)
    return web.json_response({"meanings": len(rows)})
