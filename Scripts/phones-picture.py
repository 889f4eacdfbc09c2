#!/usr/bin/python3
"""Creates Documentation/images/phones.png: the emulator's page after campaigns/ are applied.

Works in a temporary directory. Requires .build/release/herald and Chromium.
"""

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "Tests/EndToEnd"))

from chromium import Chromium  # noqa: E402
from herald import Emulator, eventually, variables  # noqa: E402

PICTURE = ROOT / "Documentation/images/phones.png"


class Copy:
    """A copy of the project of `make run`, so that the user's files stay unchanged."""

    def __init__(self, folder):
        self.folder = folder
        shutil.copytree(ROOT / "campaigns", folder / "campaigns")
        shutil.copy(ROOT / "herald.yaml", folder)


def main():
    subprocess.run([ROOT / "Scripts/install-packages.sh", "run", "browser"], check=True)
    with tempfile.TemporaryDirectory() as parent:
        folder = Path(parent) / "project"
        folder.mkdir()
        with Emulator(Copy(folder)) as emulator, Chromium() as browser:
            with browser.open(emulator.url + "/", width=1440, height=1020) as tab:
                eventually(lambda: tab.run("document.querySelectorAll('article').length > 5"), "the phones are drawn")
                subprocess.run(
                    [ROOT / ".build/release/herald", "apply", "--yes", "--quiet", "-C", folder], check=True, env=variables(),
                    stdout=subprocess.DEVNULL)
                devices = emulator.get("/emulator/v1/inboxes")["devices"]
                shown = sum(min(5, len(device["tray"])) for device in devices)
                eventually(lambda: tab.run("document.querySelectorAll('.note').length") == shown, "the messages are there")
                tab.run("document.getAnimations().forEach(a => a.finish())")
                tab.picture(PICTURE, whole=False)
    print(f"{PICTURE.relative_to(ROOT)}: {PICTURE.stat().st_size // 1000} kB")


if __name__ == "__main__":
    main()
