#!/usr/bin/python3
"""Creates Documentation/images/phones.png and request.png: the emulator's page after campaigns/ are applied.

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

IMAGES = ROOT / "Documentation/images"
# The number of notifications that a card draws.
DRAWN = 4


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
                eventually(lambda: tab.run("document.querySelectorAll('article h2').length > 5"), "the phones are drawn")
                subprocess.run(
                    [ROOT / ".build/release/herald", "apply", "--yes", "--quiet", "-C", folder], check=True, env=variables(),
                    stdout=subprocess.DEVNULL)
                names = set(tab.run("[...document.querySelectorAll('article')].map(article => article.dataset.name)"))
                devices = [device for device in emulator.get("/emulator/v1/inboxes")["devices"] if device["name"] in names]
                shown = sum(min(DRAWN, len(device["tray"])) for device in devices)
                eventually(lambda: tab.run("document.querySelectorAll('.note').length") == shown, "the messages are there")
                take(tab, "phones.png")
                sends = emulator.get("/emulator/v1/search/requests?path=/v1/projects/&status=200")["requests"]
                number = next(send["seq"] for send in sends if "topic" in send.get("target", {}) or "condition" in send.get("target", {}))
                tab.run(f"location.hash = '#/requests/{number}'")
                eventually(lambda: tab.run("document.querySelectorAll('#reached li').length > 0"), "the request is shown")
                take(tab, "request.png")


def take(tab, name):
    tab.run("document.getAnimations().forEach(a => a.finish())")
    tab.picture(IMAGES / name, whole=False)
    print(f"Documentation/images/{name}: {(IMAGES / name).stat().st_size // 1000} kB")


if __name__ == "__main__":
    main()
