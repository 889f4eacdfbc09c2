"""The tutorial works word for word: its commands run in order, its files are as it prints them, and its claims hold."""

import os
import re
import subprocess

from herald import DEADLINE, ROOT, binary, variables

PAGE = (ROOT / "Documentation/Guide/Tutorial.md").read_text()
CHAPTER = re.compile(r"^## (\d+)\. (.+?)\n(.*?)(?=^## |\Z)", re.MULTILINE | re.DOTALL)
BLOCK = re.compile(r"```(\w+)\n(.*?)```", re.DOTALL)


def chapter(number):
    return next(text for found, _, text in CHAPTER.findall(PAGE) if found == str(number))


def blocks(number, language):
    return [text for found, text in BLOCK.findall(chapter(number)) if found == language]


class Reader:
    """Types what the tutorial says, in one folder."""

    def __init__(self, folder):
        self.folder = folder
        tools = folder / "bin"
        tools.mkdir()
        (tools / "herald").symlink_to(binary())
        self.environment = variables() | {
            "PATH": f"{tools}:{os.environ['PATH']}", "HOME": str(folder), "NO_COLOR": "1",
            "XDG_STATE_HOME": str(folder / "seen")}

    def type(self, commands, code=0, answer="yes\n"):
        """Runs the lines of a block in one shell; each must succeed, except for the last one. `cd` stays in effect."""
        script = f"set -e\n{commands.replace('/tmp/plan.json', str(self.folder / 'plan.json'))}\npwd >'{self.folder}/where'"
        # `script` gives the commands a terminal, on which they ask.
        done = subprocess.run(
            ["script", "--quiet", "--return", "--command", f"bash -c {quoted(script)}", "/dev/null"], cwd=self.where,
            env=self.environment, input=answer * 3, capture_output=True, text=True, timeout=DEADLINE)
        assert done.returncode == code, f"{commands}\n{done.stdout}{done.stderr}"
        return " ".join(done.stdout.split())

    @property
    def where(self):
        written = self.folder / "where"
        return written.read_text().strip() if written.exists() else self.folder

    def path(self, name):
        return self.folder / "push" / name

    def edit(self, name, before, after):
        text = self.path(name).read_text()
        assert text.count(before) == 1, (name, before)
        self.path(name).write_text(text.replace(before, after))


def quoted(text):
    return "'" + text.replace("'", "'\\''") + "'"


def said(number, *sentences):
    """The tutorial still has the sentence that the next step checks."""
    text = " ".join(chapter(number).split())
    for sentence in sentences:
        assert sentence in text, f"chapter {number} no longer says {sentence!r}: change the test with it"


def test_the_tutorial_works_word_for_word(tmp_path):
    reader = Reader(tmp_path)
    reader.type("herald --version")

    create, = blocks(2, "sh")
    reader.type(create)
    for name in re.findall(r"^\| `([^`]+)` \|", chapter(2), re.MULTILINE):
        assert reader.path(name).exists(), name
    welcome, = blocks(2, "yaml")
    assert welcome in reader.path("campaigns/welcome.yaml").read_text()

    plan = reader.type(blocks(3, "sh")[0])
    said(3, "Two registrations of the list `testers` join the topic `beta`.", "The plan shows its declared reach, 5,000.",
         "The last line is the digest of the plan.")
    for fragment in ("testers subscribes 2 registrations to topic beta", "5,000 devices", "sends now to 2 registrations of testers"):
        assert fragment in plan, plan
    assert re.search(r"Digest [0-9a-f]{40}@0", plan)

    inboxes = reader.type(blocks(4, "sh")[0])
    said(4, '`ann-pixel` received "Good morning"', '`bea-iphone` received "Version 2 is on your phone"', "`cem-chrome` received both")
    shown = inboxes.rpartition("ann-pixel")[2]
    assert shown.count("Good morning") == 2 and shown.count("Version 2 is on your phone") == 2, inboxes
    said(4, "Run `herald apply` again. It does nothing")
    assert "No changes." in reader.type("herald apply")


def test_the_tutorial_changes_schedules_and_reviews(tmp_path):
    reader = Reader(tmp_path)
    reader.type(blocks(2, "sh")[0])
    reader.type(blocks(4, "sh")[0])

    said(5, "change `news` to `newz`", "suggests `news`, and exits with 65", "change the `body` to `This message was changed in a")
    reader.edit("campaigns/welcome.yaml", "topic: news", "topic: newz")
    assert "`news`" in reader.type("herald validate", code=65)
    reader.edit("campaigns/welcome.yaml", "topic: newz", "topic: news")
    reader.edit("campaigns/welcome.yaml", "This message was a file in a repository.", "This message was changed in a repository.")
    assert "revision" in reader.type("herald plan")
    changed, = blocks(5, "yaml")
    reader.path("campaigns/welcome.yaml").write_text(changed)
    assert "This message was changed in a repository." in reader.type(blocks(5, "sh")[0]).rpartition("Applied")[2]

    reader.path("campaigns/party.yaml").write_text(blocks(6, "yaml")[0])
    said(6, "the reach, at most 200", "`status` lists it as scheduled")
    shown = reader.type(blocks(6, "sh")[0])
    assert "200 devices" in shown and "release-party" in shown.rpartition("Applied")[2], shown

    said(7, "Change the `title` of `release-party`", "reports that the plan was already applied")
    reader.edit("campaigns/party.yaml", "You are invited", "You are all invited")
    commands, = blocks(7, "sh")
    reader.type(commands)
    assert "Already applied" in reader.type(commands.splitlines()[1])
