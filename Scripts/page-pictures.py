#!/usr/bin/python3
"""Creates Documentation/images/plan.png and simulation.png: the pages of a season's campaigns.

With a directory as argument, it instead writes every page at three widths in both schemes, to look at.
Requires .build/release/herald and Chromium.
"""

import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "Tests/EndToEnd"))

from chromium import Chromium  # noqa: E402
from season import Season  # noqa: E402

IMAGES = ROOT / "Documentation/images"
PICTURES = {"plan": "plan.png", "simulate": "simulation.png"}
WIDTHS = (390, 1440, 2560)
# The visible part of a page in the documentation.
SHOWN = {"width": 1440, "height": 1400}


def every(season, folder, browser):
    folder.mkdir(parents=True, exist_ok=True)
    for command in ("plan", "simulate", "calendar"):
        page = season.page(command)
        for width in WIDTHS:
            for dark in (False, True):
                with browser.open(page, width=width, dark=dark) as tab:
                    tab.picture(folder / f"{command}-{width}-{'dark' if dark else 'light'}.png")


def documented(season, browser):
    for command, name in PICTURES.items():
        with browser.open(season.page(command), **SHOWN) as tab:
            tab.picture(IMAGES / name, whole=False)
        print(f"Documentation/images/{name}: {(IMAGES / name).stat().st_size // 1000} kB")


def main():
    subprocess.run([ROOT / "Scripts/install-packages.sh", "run", "browser"], check=True)
    with tempfile.TemporaryDirectory() as parent, Chromium() as browser:
        season = Season(Path(parent) / "project")
        if len(sys.argv) > 1:
            every(season, Path(sys.argv[1]), browser)
        else:
            documented(season, browser)


if __name__ == "__main__":
    main()
