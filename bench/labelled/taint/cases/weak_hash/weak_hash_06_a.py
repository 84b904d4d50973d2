import hashlib

from fastapi import FastAPI, Form, UploadFile

app = FastAPI()


@app.post("/verify")
async def verify_download(file: UploadFile, expected: str = Form(...)):
    digest = hashlib.sha1()
    while chunk := await file.read(65536):
        digest.update(chunk)
    genuine = digest.hexdigest() == expected
    return {"genuine": genuine}
