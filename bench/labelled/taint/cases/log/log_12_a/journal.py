import logging


class Journal:
    def __init__(self, name):
        self.log = logging.getLogger(name)
        self.count = 0

    def add(self, line):
        self.count += 1
        self.log.info("#%d %s", self.count, line)
