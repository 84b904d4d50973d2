from flask import Flask, redirect, request, session, url_for

app = Flask(__name__)
app.config.from_envvar("SHOP_SETTINGS")


@app.post("/login")
def after_login():
    session["seen"] = True
    target = request.args.get("next")
    return redirect(target or url_for("home"))


@app.get("/")
def home():
    return {"page": "home"}
