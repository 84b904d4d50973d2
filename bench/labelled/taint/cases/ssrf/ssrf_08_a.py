import ipaddress

import httpx
from fastapi import FastAPI

app = FastAPI()
NETWORK = ipaddress.ip_network("198.51.100.0/28")


@app.get("/nodes/{node}")
def node_status(node: str, port: int = 9100):
    address = node
    answer = httpx.get(f"http://{address}:{port}/metrics", timeout=2)
    return {"up": answer.status_code == 200}
