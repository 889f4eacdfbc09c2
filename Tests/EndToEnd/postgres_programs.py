"""Finds PostgreSQL's programs and the user that may run them."""

import os
import pwd
import shutil
import socket
from pathlib import Path

# Debian does not put the server's programs on the PATH.
FOLDERS = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: int(path.parent.name), reverse=True)


def program(name):
    found = shutil.which(name, path=os.pathsep.join([*map(str, FOLDERS), os.environ.get("PATH", ""), "/usr/sbin"]))
    assert found, f"{name} is missing: Scripts/install-packages.sh test"
    return found


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def server_user(*paths):
    """Returns the options of `subprocess` for a server that refuses to run as root, and gives it these paths."""
    if os.getuid() != 0:
        return {}
    try:
        owner = pwd.getpwnam("postgres")
    except KeyError:
        owner = pwd.getpwnam("nobody")
    for path in paths:
        os.chown(path, owner.pw_uid, owner.pw_gid)
    return {"user": owner.pw_uid, "group": owner.pw_gid, "extra_groups": []}
