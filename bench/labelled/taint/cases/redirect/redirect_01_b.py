from flask import Flask, redirect, request, session, url_for

app = Flask(__name__)
app.config.from_envvar("SHOP_SETTINGS")


@app.post("/login")
def after_login():
    session["seen"] = True
    target = request.args.get("next")
    return redirect(url_for("home", welcome="1" if target else "0"))


@app.get("/")
def home():
    return {"page": "home"}
