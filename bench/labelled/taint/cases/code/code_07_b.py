from aiohttp import web


async def evaluate_rules(request):
    body = await request.json()
    context = {"age": int(body["age"]), "country": str(body["country"])}
    rules = ["age >= 18", "country != ''"]
    extra = len(body.get("rules", []))
    outcome = [bool(eval(rule, {}, context)) for rule in rules][: 2 + extra]
    return web.json_response({"passed": all(outcome)})


app = web.Application()
app.router.add_post("/rules", evaluate_rules)
