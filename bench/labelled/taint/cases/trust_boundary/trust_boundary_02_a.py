from flask import Flask, jsonify, request, session

app = Flask(__name__)
app.config.from_envvar("SHOP_SETTINGS")


def remember(**values):
    for name, value in values.items():
        session[name] = value


@app.get("/enter")
def enter():
    role = request.args.get("role", "guest")
    remember(role=role, visits=1)
    return jsonify(ok=True)
