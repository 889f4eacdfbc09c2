#!/usr/bin/python3
"""Installs, uses, upgrades and purges the Debian package in a bare root: package.py PACKAGE [--suite SUITE]

The root has Debian's minimal packages only. The dependencies of Herald are installed first, so that each file that is
different after the purge is Herald's. Needs root, for chroot and mounts.
"""

import argparse
import hashlib
import os
import shutil
import stat
import subprocess
import sys
import tempfile
from pathlib import Path

# Records of package managers, and logs, which each installation writes.
RECORDS = ("var/lib/dpkg", "var/lib/apt", "var/log", "var/cache", "tmp", "root", "proc", "sys", "dev", "run",
           "etc/passwd-", "etc/group-", "etc/shadow-", "etc/gshadow-", "etc/ld.so.cache", "etc/.pwd.lock")
USE = """set -e
cd "$(mktemp -d)"
herald --version
herald init push --timezone Europe/Lisbon
cd push
herald validate --deny-warnings
herald apply --yes
herald emulator inboxes | grep 'Good morning'
herald history | grep apply
bash -n /usr/share/bash-completion/completions/herald
test -f /usr/share/man/man1/herald-plan.1.gz -a -f /usr/share/doc/herald/herald.spdx.json
getent passwd herald
test "$(stat -c '%a %U %G' /etc/herald)" = '750 root herald'
"""


class Root:
    """A root folder with Debian's minimal packages."""

    def __init__(self, folder, suite):
        self.folder = Path(folder)
        checked("debootstrap", "--variant=minbase", "--include=ca-certificates", suite, folder, timeout=1800)
        # The same servers and proxies as on this machine.
        shutil.copytree("/etc/apt/apt.conf.d", self.folder / "etc/apt/apt.conf.d", dirs_exist_ok=True)
        shutil.copy("/etc/resolv.conf", self.folder / "etc/resolv.conf")

    def run(self, command):
        """The output of a command inside, with /proc and /dev. It ends with all that it started."""
        script = ('mount -t proc proc "$1/proc" && mount --rbind /dev "$1/dev" && '
                  'exec chroot "$1" /usr/bin/env -i HOME=/root LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive '
                  'PATH=/usr/sbin:/usr/bin:/sbin:/bin bash -c "$2"')
        return checked("unshare", "--mount", "--pid", "--fork", "--kill-child", "bash", "-c", script, "root",
                       self.folder, command)

    def files(self):
        """Each file with its kind, mode, owner and contents."""
        found = {}
        for path in sorted(self.folder.rglob("*")):
            name = str(path.relative_to(self.folder))
            if name.startswith(RECORDS):
                continue
            status = path.lstat()
            facts = [status.st_mode, status.st_uid, status.st_gid]
            if stat.S_ISREG(status.st_mode):
                facts.append(hashlib.sha256(path.read_bytes()).hexdigest())
            elif stat.S_ISLNK(status.st_mode):
                facts.append(os.readlink(path))
            found[name] = facts
        return found


def checked(*command, timeout=600):
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=timeout)
    if done.returncode != 0:
        sys.exit(f"exit {done.returncode}: {command}\n{done.stdout}{done.stderr}")
    return done.stdout


def field(package, name):
    return checked("dpkg-deb", "--field", package, name).strip()


def later(package, folder):
    """The same package with a later version."""
    version = field(package, "Version") + ".1"
    content = Path(folder) / "later"
    checked("dpkg-deb", "--raw-extract", package, content)
    control = content / "DEBIAN/control"
    control.write_text(control.read_text().replace(f"Version: {field(package, 'Version')}", f"Version: {version}"))
    checked("dpkg-deb", "--root-owner-group", "-Znone", "--build", content, Path(folder) / "later.deb")
    shutil.rmtree(content)
    return Path(folder) / "later.deb", version


def differences(before, after):
    return [f"{name}: {before.get(name)} -> {after.get(name)}" for name in sorted(before.keys() | after.keys())
            if before.get(name) != after.get(name)]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("package", type=Path)
    parser.add_argument("--suite", default="bookworm")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        os.chmod(scratch, 0o755)
        root = Root(Path(scratch) / "root", options.suite)
        newer, version = later(options.package, scratch)
        shutil.copy(options.package, root.folder / "tmp/herald.deb")
        shutil.copy(newer, root.folder / "tmp/later.deb")
        root.run("apt-get update -qq && apt-get install -qq --yes --no-install-recommends apt-utils >/dev/null")
        root.run(f"apt-get satisfy -qq --yes --no-install-recommends '{field(options.package, 'Depends')}' >/dev/null")
        before = root.files()
        root.run("dpkg --install /tmp/herald.deb")
        print(root.run(USE))
        root.run("dpkg --install /tmp/later.deb && herald --version && mkdir -p /var/lib/herald && touch /var/lib/herald/seen")
        installed = root.run("dpkg-query --show --showformat='${Version}' herald")
        assert installed == version, installed
        root.run("dpkg --remove herald && ! command -v herald && test -f /var/lib/herald/seen")
        root.run("dpkg --purge herald && ! dpkg-query --show herald 2>/dev/null")
        left = differences(before, root.files())
        assert not left, "the purge left:\n" + "\n".join(left)
        print(f"installed, used, upgraded to {version} and purged in {options.suite}: nothing is left")


main()
