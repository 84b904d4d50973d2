from bottle import post, request

ROWS = [{"name": "bolt", "price": 3}, {"name": "nut", "price": 1}]


@post("/rows/sort")
def sort_rows():
    key = request.forms.get("key") or "price"
    getter = eval("lambda row: row['%s']" % key)
    rows = sorted(ROWS, key=getter)
    return {"rows": rows}
