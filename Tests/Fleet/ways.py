"""A worker's way to the emulator and to the server: a relay process, and a network namespace if packets may get lost."""

import subprocess
import sys
from pathlib import Path

RELAY = Path(__file__).with_name("relay.py")
LOSS = """
table inet herald {{
    chain loss {{
        type filter hook input priority 0; policy accept;
        meta l4proto tcp numgen random mod 1000 < {share} counter drop
    }}
}}
"""


def call(*command, input=""):
    done = subprocess.run([str(word) for word in command], input=input, capture_output=True, text=True)
    assert done.returncode == 0, f"{' '.join(map(str, command))}: {done.stderr}\nNetwork namespaces need root, iproute2 and nftables."
    return done.stdout


class Namespace:
    """A network namespace with nothing but a loopback interface, on which packets get lost.

    The sockets of the relay are its only way out, so that the worker's addresses are those of the machine. Linux's `netem`
    is a module that not every kernel has; a rule of nftables drops packets at random, too.
    """

    def __init__(self, name):
        self.name, self.path = name, f"/run/netns/{name}"

    def __enter__(self):
        call("ip", "netns", "add", self.name)
        call("ip", "-n", self.name, "link", "set", "lo", "up")
        return self

    def __exit__(self, *_):
        call("ip", "netns", "delete", self.name)

    @property
    def prefix(self):
        """The command that runs another one in the namespace, under the same process ID."""
        return ["nsenter", f"--net={self.path}", "--"]

    def lose(self, share):
        """Drops this share of the packets, from 0 to 1."""
        self.nft("add table inet herald\ndelete table inet herald\n")
        if share:
            self.nft(LOSS.format(share=round(1_000 * share)))

    def nft(self, rules):
        call(*self.prefix, "nft", "-f", "-", input=rules)


class Way:
    """`target`: the Unix socket of the server or of its pool; `emulator`: the port of the emulator."""

    SERVER, EMULATOR = 0, 1

    def __init__(self, target, emulator, namespace=None):
        self.namespace, self.emulator = namespace, emulator
        relays = [f"0={target}"] + ([f"{emulator}={emulator}"] if namespace else [])
        self.command = [sys.executable, str(RELAY), namespace.path if namespace else "-", *relays]

    def __enter__(self):
        if self.namespace:
            self.namespace.__enter__()
        self.process = subprocess.Popen(self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.port = int(self.process.stdout.readline().split()[self.SERVER])
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.communicate()
        if self.namespace:
            self.namespace.__exit__()

    @property
    def prefix(self):
        return self.namespace.prefix if self.namespace else []

    def say(self, *words):
        """Gives the relay in front of the server a command, and waits until it has carried it out."""
        print(self.SERVER, *words, file=self.process.stdin, flush=True)
        assert self.process.stdout.readline() == "done\n", f"the relay ended at {words}"

    def heal(self):
        self.say("pass")
        if self.namespace:
            self.namespace.lose(0)
