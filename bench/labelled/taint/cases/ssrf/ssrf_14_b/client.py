import requests

HOSTS = {"db": "db.example.org", "cache": "cache.example.org"}


class Client:
    timeout = 5

    def __init__(self, host, token):
        self.base = "http://" + host
        self.headers = {"Authorization": token}

    def alive(self):
        answer = requests.get(self.base + "/health", headers=self.headers, timeout=self.timeout)
        return answer.ok
