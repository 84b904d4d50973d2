import aiosqlite
from fastapi import FastAPI
from pydantic import BaseModel

app = FastAPI()


class Note(BaseModel):
    title: str
    stars: int = 0


@app.post("/notes")
async def create_note(note: Note):
    values = (note.title, note.stars)
    statement = "INSERT INTO notes (title, stars) VALUES ('{0}', {1})".format(*values)
    async with aiosqlite.connect("notes.db") as db:
        await db.execute(statement)
        await db.commit()
    return {"created": True}
