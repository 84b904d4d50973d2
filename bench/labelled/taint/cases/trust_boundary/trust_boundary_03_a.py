from flask import Flask, jsonify, request, session

app = Flask(__name__)
app.config.from_envvar("SHOP_SETTINGS")


@app.post("/terms")
def accept_terms():
    form = request.form
    version = form.get("version", "1")
    if not form.get("accepted"):
        return jsonify(error="not accepted"), 400
    session.update(terms=version, accepted=True)
    return jsonify(ok=True)
