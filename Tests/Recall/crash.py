#!/usr/bin/python3
"""Kills `herald recall` again and again, and judges what the phones show.

    Tests/Recall/crash.py                         100 kills, 500 phones
    Tests/Recall/crash.py --runs 3 --seed 7       what CI runs
    Tests/Recall/crash.py --runs 1 --seed 42      one run again

Each run sends a list to phones on three platforms, which are online, offline, or have tapped the notification away. The list also
has registrations that FCM rejects, and the send is interrupted, so that some were not sent to. `herald recall` is killed (SIGKILL)
at random moments and started again until it ends. Then all phones come online.

In runs with an even seed, the recall is silent: it is data with the key of the notification, which the app removes itself. In the
others, it is a notification.

The judge reads the trays and the emulator's log on disk, and from herald only the outcomes of the first send:

- No tray has the wrong text. After a silent recall, each tray has what the first send showed and nothing else, and a phone that was
  online got the key of what it shows.
- Each registration whose outcome of the first send is accepted or unknown got the second message, and no other one.
- A registration got it more than once only if a kill hit its request in flight: at most `max_unknown` per kill.

The exit code is 1 if a run breaks a promise, or if no kill hit a recall in progress.
"""

import argparse
import json
import random
import shutil
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "EndToEnd"))
from herald import Emulator, Project, binary, device, eventually, token  # noqa: E402

WRONG, RIGHT = "Everything is free", "Please ignore the previous message"
# The key of the data of a silent recall.
SILENT = "herald_recall"
UNKNOWN = 25
KILLS = 5
OCCURRENCE = "sale/once/1"


class Run:
    def __init__(self, seed, phones, folder):
        self.seed, self.random, self.problems, self.kills, self.inside = seed, random.Random(seed), [], 0, 0
        self.silent = seed % 2 == 0
        # What only messages of the recall contain.
        self.mark = SILENT if self.silent else RIGHT
        self.project = Project(folder / "project")
        self.phones = [token(number) for number in range(phones)]
        self.dead = [token(number, "dead") for number in range(phones // 10)]
        everyone = [*self.phones, *self.dead]
        self.random.shuffle(everyone)
        self.everyone = everyone
        self.project.write(
            "herald.yaml",
            f"version: 1\nproject: e2e\nenvironments:\n  bench: {{ emulator: {{}}, max_unknown: {UNKNOWN} }}\n")
        self.project.write(
            "campaigns/sale.yaml",
            f"campaign: sale\naudience: {{ registrations: {self.project.list('all', everyone)} }}\n"
            f"message: {{ notification: {{ title: {WRONG} }} }}\ndelivery: {{ ttl: 4h }}\n"
            "acknowledge: { dead: 40%, reason: the test has many }\n"
            + ("recall: { silent: true }\n" if self.silent else ""))

    def herald(self, *arguments):
        return self.project.herald(*arguments, "-e", "bench")

    def messages(self, text):
        """Returns the accepted messages that contain a text."""
        return [
            entry["body"]["message"] for entry in self.project.log.sends()
            if entry["status"] == 200 and text in json.dumps(entry["body"])]

    def texts(self, text):
        """Returns the registrations of accepted messages that contain a text."""
        return [message["token"] for message in self.messages(text)]

    def play(self):
        with Emulator(self.project) as emulator:
            emulator.install(self.phones)
            self.offline = offline = set(self.random.sample(self.phones, len(self.phones) // 3))
            for registration in offline:
                emulator.patch(f"/emulator/v1/devices/{device(registration)}", {"online": False})
            self.send(emulator)
            shown = [each for each in self.texts(WRONG) if each not in offline]
            self.tap(emulator, self.random.sample(shown, len(shown) // 4))
            self.recall(emulator)
            for registration in offline:
                emulator.patch(f"/emulator/v1/devices/{device(registration)}", {"online": True})
            self.judge(emulator)

    def slow(self, emulator, milliseconds):
        rules = [{"match": {"service": "SEND"}, "delivery": {"delay_milliseconds": milliseconds}}] if milliseconds else []
        emulator.put("/emulator/v1/faults", {"rules": rules})

    def send(self, emulator):
        """Interrupts the first send after a part of the list."""
        self.slow(emulator, 20)
        with self.project.start("apply", "--yes", "-e", "bench") as running:
            self.project.log.wait_for(self.random.randrange(len(self.everyone) // 2, len(self.everyone) - UNKNOWN))
            if self.random.random() < 0.5:
                running.kill()
            else:
                self.herald("pause")
                running.finish()
        self.project.log.settle()

    def tap(self, emulator, registrations):
        inboxes = {inbox["name"]: inbox for inbox in emulator.get("/emulator/v1/inboxes")["devices"]}
        for registration in registrations:
            inbox = inboxes[device(registration)]
            if not inbox["received"]:
                continue
            path = f"/emulator/v1/devices/{device(registration)}"
            emulator.post(f"{path}/taps", {"message_id": inbox["received"][0]["message_id"]})
            emulator.patch(path, {"foreground": False})

    def recall(self, emulator):
        for _ in range(KILLS):
            before = len(self.texts(self.mark))
            with self.project.start("recall", OCCURRENCE, "--confirm", OCCURRENCE, "-e", "bench") as running:
                goal = before + self.random.randrange(1, 60)
                eventually(lambda: running.process.poll() is not None or len(self.texts(self.mark)) >= goal, "a part of the recall")
                time.sleep(self.random.random() * 0.02)
                if running.process.poll() is not None:
                    return
                running.kill()
                self.kills += 1
                self.inside += len(self.texts(self.mark)) > before
            self.project.log.settle()
        self.slow(emulator, 0)
        last = self.herald("recall", OCCURRENCE, "--confirm", OCCURRENCE)
        # The last kill may have hit the command after the end of the recall.
        if "was already recalled" not in last.err:
            last.expect(0)

    def judge(self, emulator):
        first, second = set(self.texts(WRONG)), Counter(self.texts(self.mark))
        [self.key] = {message["android"]["notification"]["tag"] for message in self.messages(WRONG)}
        if self.silent and any(message["android"]["data"] != {SILENT: self.key} for message in self.messages(SILENT)):
            self.problems.append("a message has another key than the notification")
        rows = json.loads(self.herald("status", "--all", "--format", "json").out)["occurrences"]
        sent, recall = ([row for row in rows if row["slot"] == slot] for slot in ("once", "recall:once"))
        unknown = sent[0]["counts"]["unknown"]
        if recall[0]["phase"] != "finished" or recall[0]["counts"]["unknown"]:
            self.problems.append(f"the recall has not ended: {recall[0]}")
        if first - set(second):
            self.problems.append(f"{len(first - set(second))} registrations got the first message only")
        extra = set(second) - first
        if len(extra) > unknown or extra & set(self.dead) and not unknown:
            self.problems.append(f"{len(extra)} registrations got the second message only, of {unknown} unknown ones")
        twice = sum(count - 1 for count in second.values())
        if twice > self.kills * UNKNOWN:
            self.problems.append(f"{twice} messages were repeated after {self.kills} kills")
        for inbox in emulator.get("/emulator/v1/inboxes")["devices"]:
            received = {message["number"]: json.dumps(message) for message in inbox["received"]}
            self.judge_tray(inbox, received, [received[number] for number in inbox["tray"]])
        self.figures = f"{len(first)} sent, {unknown} unknown, {len(second)} replaced, {twice} repeated, {self.kills} kills"

    def judge_tray(self, inbox, received, shown):
        """Judges what a phone shows. `received`: its messages by number."""
        name = f"{inbox['name']} ({inbox['platform']})"
        if not self.silent:
            if any(WRONG in text for text in shown):
                self.problems.append(f"{name} shows the wrong text")
            return
        if len(shown) > 1 or any(WRONG not in text for text in shown):
            self.problems.append(f"{name} shows more than the first message: {shown}")
        # FCM and APNs may drop data for a phone that is offline.
        was_online = inbox["name"] not in {device(each) for each in self.offline}
        if shown and was_online and not any(SILENT in text and self.key in text for text in received.values()):
            self.problems.append(f"{name} did not get the key of what it shows")


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--runs", type=int, default=100 // KILLS, help=f"each with up to {KILLS} kills")
    options.add_argument("--seed", type=int, default=1, help="the seed of the first run; each further run adds one")
    options.add_argument("--phones", type=int, default=500)
    options.add_argument("--keep", action="store_true", help="keep the files of all runs")
    chosen = options.parse_args()
    if binary() is None:
        sys.exit("the herald binary is missing: build it, or name it in $HERALD")
    folder, failed, kills, inside = Path(tempfile.mkdtemp(prefix="herald-recall-")), 0, 0, 0
    for seed in range(chosen.seed, chosen.seed + chosen.runs):
        run = Run(seed, chosen.phones, folder / f"run-{seed}")
        begin = time.monotonic()
        run.figures = ""
        try:
            run.play()
        except Exception as error:  # the seed of a failed run must be printed
            run.problems.append(f"{type(error).__name__}: {str(error)[:3_000]}")
        print(f"seed {seed}: {time.monotonic() - begin:.0f} s, {run.figures}", flush=True)
        kills, inside = kills + run.kills, inside + run.inside
        if run.problems:
            failed += 1
            print(f"run with seed {seed} failed; its files are in {folder}/run-{seed}", *run.problems[:10],
                  f"again: Tests/Recall/crash.py --runs 1 --seed {seed}", sep="\n  ", flush=True)
        elif not chosen.keep:
            shutil.rmtree(folder / f"run-{seed}")
    print(f"\n{chosen.runs} runs with {kills} kills, {inside} of them in a recall in progress; {failed} runs failed")
    is_good = not failed and inside > 0
    print("crash-recall: " + ("every promise held" if is_good else f"FAILED; the seed is {chosen.seed}"))
    sys.exit(0 if is_good else 1)


if __name__ == "__main__":
    main()
