from flask import Flask, Response, request

app = Flask(__name__)


@app.errorhandler(404)
def not_found(error):
    missing = request.args.get("page", "this page")
    text = "We could not find {}.".format(missing)
    return Response(text, status=404, mimetype="text/plain")


@app.get("/")
def index():
    return "<p>Welcome</p>"
