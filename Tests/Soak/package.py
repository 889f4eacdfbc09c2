#!/usr/bin/python3
"""Installs, uses, upgrades and purges the Debian packages in a bare root: package.py HERALD LISTEN [--suite SUITE]

LISTEN is the package herald-listen. The root has Debian's minimal packages only. The dependencies of both packages are
installed first, so that each file that is different after the purge is Herald's. Needs root, for chroot and mounts.
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
# The listener opens connections with libstrophe, and reports that no server answers. SIGTERM ends it with 130.
LISTEN = """set -e
cd "$(mktemp -d)"
herald init push --timezone UTC
cd push
printf '    upstream: { sender_id: "1234", server_key: "env:KEY" }\\n' >>herald.yaml
KEY=secret timeout --preserve-status 5 herald listen --server 127.0.0.1:1 >listen.txt 2>&1 || test $? = 130
grep 'Connection refused' listen.txt
test -f /usr/share/man/man1/herald-listen.1.gz -a -f /usr/share/doc/herald-listen/herald-listen.spdx.json
grep -q libstrophe0 /usr/share/doc/herald-listen/herald-listen.spdx.json
"""
# Without the package, the command names what is missing.
ALONE = """cd "$(mktemp -d)" && herald init push --timezone UTC && cd push
herald listen --server 127.0.0.1:1 2>&1 | grep 'install herald-listen'
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


def later(package, version, folder):
    """The same package with a later version, also of the package that it depends on."""
    content = Path(folder) / "later"
    checked("dpkg-deb", "--raw-extract", package, content)
    control = content / "DEBIAN/control"
    control.write_text(control.read_text().replace(field(package, "Version"), version))
    target = Path(folder) / f"later-{field(package, 'Package')}.deb"
    checked("dpkg-deb", "--root-owner-group", "-Znone", "--build", content, target)
    shutil.rmtree(content)
    return target


def foreign_dependencies(package):
    """What a package depends on, without the package herald."""
    found = field(package, "Depends").split(", ")
    return ", ".join(name for name in found if not name.startswith("herald "))


def differences(before, after):
    return [f"{name}: {before.get(name)} -> {after.get(name)}" for name in sorted(before.keys() | after.keys())
            if before.get(name) != after.get(name)]


def use(root, version, folder, packages):
    """Installs, uses, upgrades and purges both packages."""
    for package in packages:
        shutil.copy(package, root.folder / "tmp" / f"{field(package, 'Package')}.deb")
        shutil.copy(later(package, version, folder), root.folder / "tmp")
    root.run("apt-get update -qq && apt-get install -qq --yes --no-install-recommends apt-utils >/dev/null")
    for package in packages:
        root.run(f"apt-get satisfy -qq --yes --no-install-recommends '{foreign_dependencies(package)}' >/dev/null")
    before = root.files()
    root.run("dpkg --install /tmp/herald.deb")
    print(root.run(USE))
    print(root.run(ALONE))
    root.run("dpkg --install /tmp/herald-listen.deb")
    print(root.run(LISTEN))
    root.run("dpkg --install /tmp/later-herald.deb /tmp/later-herald-listen.deb && herald --version && herald-listen --version "
             "&& mkdir -p /var/lib/herald && touch /var/lib/herald/seen")
    installed = root.run("dpkg-query --show --showformat='${Version} ' herald herald-listen")
    assert installed.split() == [version] * 2, installed
    root.run("dpkg --purge herald-listen && ! command -v herald-listen && herald --version")
    root.run("dpkg --remove herald && ! command -v herald && test -f /var/lib/herald/seen")
    root.run("dpkg --purge herald && ! dpkg-query --show herald herald-listen 2>/dev/null")
    left = differences(before, root.files())
    assert not left, "the purge left:\n" + "\n".join(left)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("herald", type=Path)
    parser.add_argument("listen", type=Path)
    parser.add_argument("--suite", default="bookworm")
    options = parser.parse_args()
    version = field(options.herald, "Version") + ".1"
    with tempfile.TemporaryDirectory() as scratch:
        os.chmod(scratch, 0o755)
        use(Root(Path(scratch) / "root", options.suite), version, scratch, [options.herald, options.listen])
    print(f"installed, used, upgraded to {version} and purged in {options.suite}: nothing is left")


if __name__ == "__main__":
    main()
