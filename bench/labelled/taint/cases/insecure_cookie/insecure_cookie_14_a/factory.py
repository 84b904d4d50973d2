from flask import Flask, jsonify

from .settings import Production


def make_app():
    app = Flask(__name__)
    app.config.from_object(Production)

    @app.get("/")
    def index():
        return jsonify(name=app.name)

    return app
