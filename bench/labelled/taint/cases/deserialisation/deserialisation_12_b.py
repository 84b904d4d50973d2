import yaml
from bottle import post, request

LAYOUT = "columns: 2\nrows: 4\n"


@post("/layout")
def load_layout():
    text = request.forms.getunicode("layout")
    source = LAYOUT
    layout = yaml.load(source, Loader=yaml.Loader)
    return {"columns": layout.get("columns"), "given": bool(text)}
