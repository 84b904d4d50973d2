import html

import psycopg2
from flask import Flask, jsonify, request

app = Flask(__name__)


@app.get("/orders")
def order_page():
    offset = html.escape(request.args.get("offset", "0"))
    connection = psycopg2.connect("dbname=shop")
    with connection.cursor() as cursor:
        cursor.execute("SELECT id FROM orders ORDER BY id LIMIT 20 OFFSET %s" % offset)
        ids = [row[0] for row in cursor.fetchall()]
    return jsonify(ids=ids)
