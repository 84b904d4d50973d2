from flask import Flask, jsonify, request, session

app = Flask(__name__)
app.config.from_envvar("SHOP_SETTINGS")
LAYOUTS = ("grid", "list", "cards")


@app.post("/layout")
def choose_layout():
    layout = request.form.get("layout", "grid")
    session["layout"] = layout if layout in LAYOUTS else "grid"
    return jsonify(saved=True)
