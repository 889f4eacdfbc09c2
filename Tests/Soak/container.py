#!/usr/bin/python3
"""Replays the final stage of the Dockerfile in a bare root, and uses it from another network namespace: container.py PACKAGES

PACKAGES is the folder that `make deb` writes. Needs root, for chroot, mounts and namespaces.
"""

import argparse
import contextlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "EndToEnd"))
from container_files import stages, words  # noqa: E402
from package import Root, checked  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]
DEADLINE = 60
INSIDE, OUTSIDE = "10.213.0.1", "10.213.0.2"


class Network:
    """Two network namespaces and a cable between them."""

    def __init__(self):
        self.names = [f"herald-{side}-{os.getpid()}" for side in ("in", "out")]

    def __enter__(self):
        for name in self.names:
            checked("ip", "netns", "add", name)
            checked("ip", "-n", name, "link", "set", "lo", "up")
        inside, outside = self.names
        checked("ip", "link", "add", "veth0", "netns", inside, "type", "veth", "peer", "name", "veth0", "netns", outside)
        for name, address in zip(self.names, (INSIDE, OUTSIDE)):
            checked("ip", "-n", name, "addr", "add", f"{address}/24", "dev", "veth0")
            checked("ip", "-n", name, "link", "set", "veth0", "up")
        return self

    def __exit__(self, *_):
        for name in self.names:
            subprocess.run(["ip", "netns", "del", name], check=False)

    def curl(self, path, *arguments):
        """Returns the status and the body of a request from outside."""
        text = checked(
            "ip", "netns", "exec", self.names[1], "curl", "--silent", "--max-time", "20", "--write-out", "\n%{http_code}",
            *arguments, f"http://{INSIDE}:9099{path}")
        body, _, status = text.rpartition("\n")
        return int(status), body


def replay(root, stage, packages):
    """Performs the COPY and RUN instructions of the stage in the root."""
    for word, text in stage.instructions:
        if word == "COPY":
            _, _, target = text.split()
            shutil.copytree(packages, root.folder / target.strip("/"), dirs_exist_ok=True)
        elif word == "RUN":
            root.run(text)


def entry(stage, root, namespace):
    """Starts the entry point as the stage's user in a network namespace."""
    user = stage.all("USER")[0]
    script = 'mount -t proc proc "$1/proc" && mount --rbind /dev "$1/dev" && exec chroot --userspec="$2" "$@"'
    command = ["bash", "-c", script.replace('"$@"', '"$1" "${@:3}"'), "entry", str(root.folder), user,
               "/usr/bin/env", "-i", "PATH=/usr/bin:/bin", "HOME=/data", *words(stage.all("ENTRYPOINT")[0])]
    return subprocess.Popen(
        ["ip", "netns", "exec", namespace, "unshare", "--mount", "--pid", "--fork", *command],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def token(process):
    lines = []
    for line in process.stdout:
        lines.append(line)
        found = re.search(r"token of the control API:  (\S+)", line)
        if found:
            return found[1]
    sys.exit(f"the entry point ended: {''.join(lines)}")


def first(process):
    """Returns the first process of the entry point's namespaces, or None if it has ended."""
    found = subprocess.run(["pgrep", "--parent", str(process.pid)], capture_output=True, text=True).stdout.split()
    return int(found[0]) if found else None


def stop(process):
    """Ends the entry point."""
    # The child is killed itself, because the kernel drops the signal of `unshare --kill-child` when the child changes its user.
    # unshare ends with the child.
    with contextlib.suppress(ProcessLookupError):
        if child := first(process):
            os.kill(child, signal.SIGKILL)
    process.wait(DEADLINE)


def use(network, key):
    """Uses the emulator as another machine does."""
    deadline = time.monotonic() + DEADLINE
    while network.curl("/emulator/v1/health")[0] != 200:
        assert time.monotonic() < deadline, "the emulator is not healthy"
        time.sleep(0.2)
    assert network.curl("/emulator/v1/devices")[0] == 401
    assert network.curl("/")[0] == 401
    allowed = ["--header", f"Authorization: Bearer {key}"]
    phone = json.dumps([{"name": "phone", "platform": "android", "registration": "r:1"}])
    assert network.curl("/emulator/v1/devices", *allowed, "--data", phone)[0] == 200
    message = json.dumps({"message": {"token": "r:1", "notification": {"title": "Hello"}}})
    sent = network.curl("/v1/projects/demo/messages:send", "--header", "Authorization: Bearer x", "--data", message)
    assert sent[0] == 200, sent
    status, body = network.curl("/emulator/v1/wait?title=Hello", *allowed)
    assert status == 200 and json.loads(body)["matches"] == 1, body


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("packages", type=Path)
    options = parser.parse_args()
    stage = stages((ROOT / "Dockerfile").read_text())[-1]
    suite = re.search(r"debian:(\w+)", stage.image)[1]
    with tempfile.TemporaryDirectory() as scratch, Network() as network:
        os.chmod(scratch, 0o755)
        root = Root(Path(scratch) / "root", suite)
        replay(root, stage, options.packages)
        process = entry(stage, root, network.names[0])
        try:
            use(network, token(process))
            health = words(stage.all("HEALTHCHECK")[0])
            inside = checked("nsenter", "--target", first(process), "--mount", "--pid", "--net",
                             "chroot", "--userspec=emulator", root.folder,
                             "/usr/bin/env", "-i", "PATH=/usr/bin:/bin", "HOME=/data", *health)
            print(f"health check: {inside.strip()}")
        finally:
            stop(process)
    print("the container's stage runs in a bare root and serves another network namespace")


if __name__ == "__main__":
    main()
