from dataclasses import dataclass

from flask import Flask, jsonify, request

app = Flask(__name__)


@dataclass
class Cell:
    label: str
    formula: str

    def value(self):
        return eval("row * 2", {"row": 3})


@app.post("/cell")
def render_formula():
    cell = Cell(label="A1", formula=request.form.get("formula", "row"))
    return jsonify(label=cell.label, value=str(cell.value()))
