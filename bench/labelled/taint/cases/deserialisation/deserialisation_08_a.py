import io

import numpy
from fastapi import FastAPI, UploadFile

app = FastAPI()


def read(stream, **options):
    return numpy.load(stream, **options)


@app.post("/weights")
async def upload_weights(file: UploadFile):
    stream = io.BytesIO(await file.read())
    array = read(stream, allow_pickle=False)
    return {"shape": list(array.shape)}
