"""Waiting, ports and processes of the tests with several servers."""

import random
import socket
import time
from pathlib import Path

DEADLINE = 120


def eventually(condition, what, deadline=DEADLINE):
    """Polls until the condition is true and returns its value. `what` returns the text of the failure."""
    end = time.monotonic() + deadline
    while time.monotonic() < end:
        if value := condition():
            return value
        time.sleep(0.05)
    raise AssertionError(f"not within {deadline} s: {what()}")


def free_ports(count):
    """Returns free ports below those that the system gives to outgoing connections, which could take one during a restart."""
    ports = []
    first = int(Path("/proc/sys/net/ipv4/ip_local_port_range").read_text().split()[0])
    while len(ports) < count:
        port = random.randrange(10_000, first)
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
        if port not in ports:
            ports.append(port)
    return ports


def children(pid):
    try:
        return [int(word) for word in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except FileNotFoundError:
        return []


def is_alive(pid):
    """Whether the process exists and has not ended."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except (FileNotFoundError, ProcessLookupError):
        return False
