import subprocess

from fastapi import Depends, FastAPI

app = FastAPI()


class Repository:
    def __init__(self, owner: str, name: str):
        self.owner = owner
        self.name = name
        if not (owner.isidentifier() and name.isidentifier()):
            raise ValueError("bad repository")

    @property
    def url(self):
        return f"https://git.internal/{self.owner}/{self.name}.git"


@app.get("/branches")
def list_branches(repo: Repository = Depends()):
    text = subprocess.check_output(f"git ls-remote --heads {repo.url}", shell=True, text=True)
    return {"branches": [line.split("\t")[1] for line in text.splitlines()]}
