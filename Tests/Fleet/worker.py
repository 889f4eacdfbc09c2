"""The place of one `herald run` of a fleet."""

E = ("-e", "bench")


class Worker:
    """A place for one `herald run` after another, with a way of its own to the server."""

    def __init__(self, run, number, way):
        self.run, self.number, self.way = run, number, way
        self.running = None
        self.is_stopped = False

    def start(self):
        if self.running is None:
            self.running = self.run.project.start(
                "run", *E, prefix=self.way.prefix, env={
                    "STATE_URL": f"postgresql://herald@127.0.0.1:{self.way.port}/{self.run.database}",
                    "XDG_STATE_HOME": str(self.run.folder / f"worker-{self.number}")})
            self.run.processes.append(self.running)

    @property
    def pid(self):
        return self.running and self.running.process.pid

    def printed(self):
        return " ".join(self.running.texts()[1].split())[-1_000:]

    def could_not_start(self):
        """Whether the process ended because it never reached the server; a command that starts does not wait for it."""
        return self.printed().startswith(("error: the state ", "error: the server of the state "))

    def ends(self):
        """Forgets the process, which has been told to end or was killed."""
        ended, self.running, self.is_stopped = self.running, None, False
        return ended
