import requests
from flask import Flask, jsonify, request

app = Flask(__name__)
SOURCES = {"news": "https://news.example.org/rss", "blog": "https://blog.example.org/rss"}


@app.get("/preview")
def fetch_preview():
    source = request.args.get("source", "news")
    url = SOURCES.get(source, SOURCES["news"])
    answer = requests.get(url, timeout=5)
    return jsonify(length=len(answer.text))
