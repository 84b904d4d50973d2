import sqlite3

from flask import Flask, g, jsonify, request

app = Flask(__name__)


@app.before_request
def read_filters():
    g.country = request.args.get("country", "NL")
    g.since = 2020


@app.get("/count")
def count_by():
    db = sqlite3.connect("shop.db")
    query = "SELECT count(*) FROM customers"
    query += " WHERE since >= " + str(g.since)
    return jsonify(total=db.execute(query).fetchone()[0])
