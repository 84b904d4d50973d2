import zipfile
from io import BytesIO

from aiohttp import web


async def store_chunks(request):
    archive = zipfile.ZipFile(BytesIO(await request.read()))
    count = 0
    for member in archive.infolist():
        if member.is_dir():
            continue
        with open("/srv/unpacked/%06d.bin" % count, "wb") as out:
            out.write(archive.read(member))
        count += 1
    return web.json_response({"files": count})
