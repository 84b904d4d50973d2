"""A list of jobs with states."""

STATES = ("waiting", "running", "done", "failed")


class Job:
    def __init__(self, name, needs=()):
        self.name = name
        self.needs = list(needs)
        self.state = "waiting"

    @property
    def finished(self):
        return self.state in ("done", "failed")


class Board:
    def __init__(self):
        self.jobs = {}

    def add(self, name, needs=()):
        for need in needs:
            if need not in self.jobs:
                raise KeyError(need)
        self.jobs[name] = Job(name, needs)

    def move(self, name, state):
        if state not in STATES:
            raise ValueError(state)
        self.jobs[name].state = state

    def ready(self):
        """Waiting jobs whose needs are all done."""
        return [
            job.name
            for job in self.jobs.values()
            if job.state == "waiting" and all(self.jobs[need].state == "done" for need in job.needs)
        ]

    def blocked(self):
        """Waiting jobs of which some need has failed."""
        return [
            job.name
            for job in self.jobs.values()
            if job.state == "waiting" and any(self.jobs[need].state == "failed" for need in job.needs)
        ]

    def progress(self):
        if not self.jobs:
            return 1.0
        return sum(job.finished for job in self.jobs.values()) / len(self.jobs)
