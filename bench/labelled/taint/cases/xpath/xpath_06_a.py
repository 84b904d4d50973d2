import elementpath
from fastapi import FastAPI, Request
from lxml import etree

app = FastAPI()


@app.post("/roles")
async def member_role(request: Request):
    body = await request.json()
    root = etree.parse("/srv/data/roles.xml").getroot()
    name = body["name"]
    query = "//member[@name=$name]/@role"
    roles = elementpath.select(root, query, variables={"name": name})
    return {"roles": [str(role) for role in roles]}
