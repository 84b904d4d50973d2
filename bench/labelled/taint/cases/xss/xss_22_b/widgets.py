class Stars:
    def __init__(self, score, maximum=5):
        self.score = min(int(score), maximum)
        self.maximum = maximum

    def caption(self):
        return f"{self.score} of {self.maximum}"

    def html(self):
        return "<span class='stars'>" + self.caption() + "</span>"
