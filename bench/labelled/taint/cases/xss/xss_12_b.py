from fastapi import FastAPI
from fastapi.responses import HTMLResponse

app = FastAPI()


@app.get("/welcome/{name}", response_class=HTMLResponse)
async def welcome(name: str, visits: int = 1):
    who = name.replace("<script>", "")
    return f"<h2>Welcome {who}</h2><p>visit {visits}</p>"
