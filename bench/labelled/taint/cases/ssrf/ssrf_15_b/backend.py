import aiohttp

REGIONS = ["eu", "us", "ap"]


async def ask(region, words):
    if region not in REGIONS:
        raise ValueError("no such region")
    url = "https://{}.translate.example.org/v1?words={}".format(region, words)
    async with aiohttp.ClientSession() as session:
        async with session.post(url) as answer:
            return answer.status
