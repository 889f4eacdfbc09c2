"""The ways from the standbys to each PostgreSQL server, which a test can cut."""

import subprocess
import sys
from pathlib import Path

RELAY = Path(__file__).with_name("relay.py")


class Links:
    """A relay in front of each server, all in one process.

    `ports`: pairs of the port of a relay and the port of its server. Bytes on the way get lost with a cut, as on a network
    that fails.
    """

    def __init__(self, ports):
        self.process = subprocess.Popen(
            [sys.executable, str(RELAY), "-", *(f"{port}={target}" for port, target in ports)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout.readline(), "the relays did not start"

    def close(self):
        self.process.kill()
        self.process.communicate()

    def cut(self, number):
        """Ends all connections to a server. Later ones end at once, until `restore`."""
        self.say(number, "refuse")

    def restore(self, number):
        self.say(number, "pass")

    def say(self, number, command):
        print(number, command, file=self.process.stdin, flush=True)
        assert self.process.stdout.readline() == "done\n", f"the relays ended at {command}"
