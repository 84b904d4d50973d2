from fastapi import FastAPI
from fastapi.responses import HTMLResponse
from jinja2 import Environment
from pydantic import BaseModel

app = FastAPI()
environment = Environment(autoescape=False)
template = environment.from_string("<h1>Invoice for {{ customer }}</h1><b>{{ total }}</b>")


class Invoice(BaseModel):
    customer: str
    total: float


@app.post("/invoice")
def invoice_html(invoice: Invoice):
    return HTMLResponse(template.render(customer=invoice.customer, total=invoice.total))
