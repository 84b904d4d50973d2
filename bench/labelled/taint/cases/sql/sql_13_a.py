import sqlite3

from aiohttp import web


class AccountView(web.View):
    def lookup(self, number):
        cursor = self.request.app["db"].cursor()
        query = "SELECT balance FROM accounts WHERE number = '%s'" % number
        cursor.execute(query)
        return cursor.fetchone()

    async def get(self):
        number = self.request.match_info["number"]
        if not number.startswith("NL"):
            raise web.HTTPNotFound()
        row = self.lookup(number)
        return web.json_response({"balance": row[0] if row else None})


async def start(app):
    app["db"] = sqlite3.connect("bank.db")
