import pickle

from aiohttp import web


class Board:
    def __init__(self, data):
        self.data = data

    @staticmethod
    def load(raw):
        return Board(pickle.loads(bytes.fromhex(raw)))


async def restore_board(request):
    form = await request.post()
    board = Board.load(form["board"])
    return web.json_response({"cells": len(board.data)})
