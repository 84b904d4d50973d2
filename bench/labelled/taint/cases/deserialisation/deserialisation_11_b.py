from aiohttp import WSMsgType, web


async def feed_socket(request):
    socket = web.WebSocketResponse()
    await socket.prepare(request)
    async for message in socket:
        if message.type == WSMsgType.BINARY:
            job = message.data.decode("ascii", "replace")
            await socket.send_str(str(len(job)))
        elif message.type == WSMsgType.ERROR:
            break
    return socket
