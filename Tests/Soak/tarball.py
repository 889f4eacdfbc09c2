#!/usr/bin/python3
"""Unpacks the archive into bare roots, and uses Herald there: tarball.py ARCHIVE [--suite SUITE]...

The roots have no library that Herald needs except for the C library. Needs root, for chroot and mounts.
"""

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

# The program of the archive runs with the archive's libraries, also those that it opens itself.
USE = """set -e
export PATH=$(echo /opt/herald-*/bin):$PATH
cd "$(mktemp -d)"
herald --version
test -z "$(ldd "$(command -v herald)" | grep 'not found')"
herald init push --timezone UTC
cd push
herald validate --deny-warnings
herald apply --yes
herald emulator inboxes | grep 'Good morning'
printf '    state: { postgres: "${STATE}" }\\n' >> herald.yaml
STATE=postgres://nobody@127.0.0.1:1/none herald status 2>&1 | tee /dev/stderr | grep -i 'refused'
herald init listening --timezone UTC
cd listening
test -z "$(ldd "$(command -v herald-listen)" | grep 'not found')"
printf '    upstream: { sender_id: "1234", server_key: "env:KEY" }\\n' >> herald.yaml
KEY=secret timeout --preserve-status 5 herald listen --server 127.0.0.1:1 >listen.txt 2>&1 || test $? = 130
grep 'Connection refused' listen.txt
"""


def checked(*command, timeout=1800):
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=timeout)
    if done.returncode != 0:
        sys.exit(f"exit {done.returncode}: {command}\n{done.stdout}{done.stderr}")
    return done.stdout


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("archive", type=Path)
    parser.add_argument("--suite", action="append")
    options = parser.parse_args()
    script = ('mount -t proc proc "$1/proc" && mount --rbind /dev "$1/dev" && exec chroot "$1" /usr/bin/env -i '
              'HOME=/root LANG=C.UTF-8 PATH=/usr/sbin:/usr/bin:/sbin:/bin bash -c "$2"')
    for suite in options.suite or ["bookworm", "trixie"]:
        with tempfile.TemporaryDirectory() as scratch:
            root = Path(scratch) / "root"
            checked("debootstrap", "--variant=minbase", "--include=tzdata,ca-certificates", suite, root)
            checked("tar", "-xzf", options.archive.resolve(), "-C", root / "opt")
            print(checked("unshare", "--mount", "--pid", "--fork", "--kill-child", "bash", "-c", script, "root", root, USE))
            print(f"used the archive in {suite}")


main()
