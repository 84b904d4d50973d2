import shlex
import subprocess

from bottle import Bottle, request

app = Bottle()


@app.get("/whois")
def lookup_domain():
    domain = shlex.quote(request.query.get("domain", "example.org"))
    command = "whois -- {}".format(domain)
    output = subprocess.check_output(command, shell=True)
    return {"length": len(output)}
