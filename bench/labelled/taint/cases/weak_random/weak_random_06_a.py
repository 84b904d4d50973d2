import os

from fastapi import FastAPI

from .invites import save

app = FastAPI()


def random_bytes(count, source=None):
    source = source or os.urandom
    return source(count)


@app.post("/invite/{team}")
def invite(team: int):
    token = random_bytes(24).hex()
    save(team, token)
    return {"url": "https://teams.example.org/join/" + token}
