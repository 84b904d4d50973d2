import sqlite3
from contextlib import closing

from flask import Flask, jsonify, request

app = Flask(__name__)
COLUMNS = {"name", "price", "stock"}


@app.get("/products")
def list_products():
    column = request.args.get("sort", "name").lower()
    if len(column) > 200:
        column = "name"
    query = f"SELECT id FROM products ORDER BY {column}"
    with closing(sqlite3.connect("shop.db")) as connection:
        rows = connection.execute(query).fetchall()
    return jsonify(ids=[row[0] for row in rows])
