#!/usr/bin/python3
"""Measures how long a change takes from the send to the screen of the emulator's page.

    Benchmarks/phones/run.py HERALD [DEVICES]

Headless Chromium shows the page of an emulator. The time is measured from before the send's request until its
notification is painted on the screen, for one phone and for all phones of the screen. The exit code is 1 if the time for
one phone exceeds a second.
"""

import os
import statistics
import sys
import tempfile
import time
from pathlib import Path

os.environ["HERALD"] = str(Path(sys.argv[1]).resolve())
COUNT = int(sys.argv[2]) if len(sys.argv) > 2 else 300
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "Tests/EndToEnd"))

from chromium import Chromium  # noqa: E402
from herald import Emulator, Project, eventually  # noqa: E402

PLATFORMS = ("android", "apple", "web")
# Records when the first notification with a title, and when the last one, is on the screen.
WATCH = """
    window.first = {}; window.all = {}; window.tasks = [];
    new PerformanceObserver(list => tasks.push(...list.getEntries().map(entry => Math.round(entry.duration))))
        .observe({ entryTypes: ['longtask'] });
    new MutationObserver(() => requestAnimationFrame(() => {
        const counts = {};
        for (const note of document.querySelectorAll('.note .what')) counts[note.textContent] = (counts[note.textContent] ?? 0) + 1;
        for (const [title, count] of Object.entries(counts)) {
            first[title] ??= Date.now();
            if (count >= VISIBLE) all[title] ??= Date.now();
        }
    })).observe(document.getElementById('grid'), { childList: true, subtree: true });
"""
# The cards whose phone is drawn. The page draws only the visible ones.
DRAWN = "document.querySelectorAll('article h2').length"


def rounds(emulator, tab, what, count, target):
    """Returns the milliseconds from each of several sends to the screen."""
    spans = []
    for number in range(count):
        title = f"{what} {number}"
        began = time.time()
        message = target(number) | {"notification": {"title": title}, "android": {"notification": {"tag": "same"}},
                                    "webpush": {"notification": {"tag": "same"}}, "apns": {"headers": {"apns-collapse-id": "same"}}}
        emulator.post("/v1/projects/bench/messages:send", {"message": message})
        spans.append(eventually(lambda: tab.run(f"{what}['{title}']"), title) - began * 1_000)
        # The page sends its next request a tenth of a second after an answer.
        time.sleep(0.3)
    return spans


def print_times(name, spans):
    print(f"{name}: median {statistics.median(spans):.0f} ms, at most {max(spans):.0f} ms")


def main():
    with tempfile.TemporaryDirectory() as folder, Emulator(Project(Path(folder) / "project")) as emulator, Chromium() as browser:
        emulator.post("/emulator/v1/devices", [
            {"name": f"phone-{n:04}", "platform": PLATFORMS[n % 3], "registration": f"phone-{n}:token", "topics": ["all"]}
            for n in range(COUNT)])
        began = time.time()
        with browser.open(emulator.url + "/", width=1440, height=1000) as tab:
            eventually(lambda: tab.run(f"{DRAWN} > 5 && {DRAWN} === document.querySelectorAll('article').length"), "the phones are drawn")
            print(f"{COUNT} phones: drawn {(time.time() - began) * 1_000:.0f} ms after the page was opened")
            visible = tab.run(DRAWN)
            tab.run(WATCH.replace("VISIBLE", str(visible)))
            one = rounds(emulator, tab, "first", 15, lambda number: {"token": f"phone-{number % visible}:token"})
            print_times("one phone", one)
            print_times(f"all {visible} phones of the screen", rounds(emulator, tab, "all", 7, lambda number: {"topic": "all"}))
            print("longest task of the page:", max(tab.run("tasks"), default=0), "ms")
    return max(one) >= 1_000


if __name__ == "__main__":
    sys.exit(main())
