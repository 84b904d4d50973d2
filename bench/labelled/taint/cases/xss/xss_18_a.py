from aiohttp import web


def cell(value, tag="td"):
    return f"<{tag}>{value}</{tag}>"


async def table_page(request):
    row = await request.json()
    cells = [cell(value) for value in row.values()]
    page = "<table><tr>" + "".join(cells) + "</tr></table>"
    response = web.Response(content_type="text/html")
    response.text = page
    return response
