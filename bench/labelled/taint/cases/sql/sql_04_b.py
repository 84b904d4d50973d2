from flask import Flask, jsonify, request
from flask_sqlalchemy import SQLAlchemy
from sqlalchemy import text

app = Flask(__name__)
app.config["SQLALCHEMY_DATABASE_URI"] = "sqlite:///shop.db"
db = SQLAlchemy(app)


@app.post("/profile/<int:user_id>")
def update_profile(user_id):
    city = request.form["city"]
    statement = text(f"UPDATE users SET city = :city WHERE id = {user_id}")
    db.session.execute(statement, {"city": city})
    db.session.commit()
    return jsonify(updated=True)
