import sqlite3

from flask import Flask, jsonify, request

app = Flask(__name__)


@app.post("/rows")
def import_rows():
    record = request.get_json()
    columns = ["sku", "amount"]
    db = sqlite3.connect("stock.db")
    names = ", ".join(columns)
    marks = ", ".join("?" for _ in columns)
    db.execute(f"INSERT INTO stock ({names}) VALUES ({marks})", [record.get(c) for c in columns])
    db.commit()
    return jsonify(stored=True)
