import sqlite3

from flask import Flask, jsonify, request

app = Flask(__name__)


@app.get("/users")
def find_user():
    name = request.args.get("name", "")
    connection = sqlite3.connect("shop.db")
    rows = connection.execute("SELECT id, name FROM users WHERE name = '" + name + "'").fetchall()
    return jsonify(users=[row[0] for row in rows])
