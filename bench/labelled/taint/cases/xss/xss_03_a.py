from flask import Flask, request
from markupsafe import Markup

app = Flask(__name__)


@app.get("/badge")
def badge():
    label = request.args.get("label", "new")
    colour = "green" if request.args.get("ok") else "grey"
    body = Markup("<b class='%s'>%s</b>" % (colour, label))
    return "<div>" + str(body) + "</div>"
