import sqlite3

from flask import Flask, jsonify, request

app = Flask(__name__)


@app.post("/rows")
def import_rows():
    record = request.get_json()
    db = sqlite3.connect("stock.db")
    names = ", ".join(record.keys())
    marks = ", ".join("?" for _ in record)
    db.execute(f"INSERT INTO stock ({names}) VALUES ({marks})", list(record.values()))
    db.commit()
    return jsonify(stored=True)
