"""The command lines in the documentation and in the program's help, and a project in which they run."""

import json
import re
import subprocess
from pathlib import Path

from herald import ROOT, binary

BLOCK = re.compile(r"^( *)```(\w*)\n(.*?)^\1```", re.MULTILINE | re.DOTALL)
# What a reader replaces, and folders that only a server has.
REPLACED = {
    "1f0c5bb9e2d84f04a5a7e5c7b86d5f2f3f4a1c22@12": "DIGEST", "/var/lib/herald/": ".herald/", "/srv/www/": "./",
    "/tmp/plan.json": "plan.json", "/srv/lists": "lists", "~/.": "./home.",
    "1f0c…@12": "DIGEST", "31@HASH": "HEAD", " a request to the webhook in `notify`": "", "history 12": "history 1",
    "recall OCCURRENCE": "recall spring-tide-warning/once/1",
    "CAMPAIGN": "spring-tide-warning", "explain RULE": "explain ttl-out-of-range", "ENV": "production",
    "EMAIL FILE": "robot@demo.iam.gserviceaccount.com robot.json", "--faults FILE": "--faults faults.json",
    "plan ROLE": "plan herald_review", "-C FOLDER": "-C .",
    "adopt LIST": "adopt beta-anglers", "--timeout 30s": "--timeout 1s", "--to URL": "--to .herald/other.sqlite",
    # Names in other pages' examples, and those of the example project.
    "catch-log": "club-invitation", "catch-of-the-week": "club-invitation", "registrations/beta.csv": "beta.csv",
    "lists/beta.csv": "beta.csv", "release-party": "spring-tide-warning", "spring-tide/once": "spring-tide-warning/once",
    "--row 4": "--row 2", "--row 5": "--row 1", "--row 3": "--row 1",
    "spring-sale": "spring-tide-warning",
    # A port that no other test's emulator has.
    "--url http://127.0.0.1:9099": "--url http://127.0.0.1:1",
}


def lines_of(text, language):
    """The commands of a block. A line that ends in a backslash continues; output of a console has no `$`."""
    joined = re.sub(r"\\\n\s*", " ", text)
    start = {"sh": "", "console": "$ ", "yaml": "- run: "}.get(language)
    for line in joined.splitlines():
        line = line.strip()
        if start is None or not line.startswith(start):
            continue
        line = line.removeprefix(start)
        # Two spaces and a hash begin a remark.
        yield re.sub(r"\s{2,}#.*| # .*", "", line).strip()


def of_pages():
    """Each command of `herald` in the pages, with the page."""
    pages = [ROOT / "README.md", *sorted((ROOT / "Documentation").rglob("*.md"))]
    for page in pages:
        for _, language, text in BLOCK.findall(page.read_text()):
            for line in lines_of(text, language):
                if re.match(r"herald(?:-ci)? |.*\| herald ", line) and "…" not in line:
                    yield str(page.relative_to(ROOT)), line


def stray_commands():
    """Lines of other blocks that look like commands of `herald`, with the page. Blocks of `text` and YAML have output and names."""
    word = re.compile(r" *(?:\$ |- )?herald (?:-|" + "|".join(entry["commandName"] for entry in dumped()["subcommands"]) + r")\b")
    for page in [ROOT / "README.md", *sorted((ROOT / "Documentation").rglob("*.md"))]:
        text = page.read_text()
        blocks = [block for _, language, block in BLOCK.findall(text) if not language]
        indented = re.findall(r"(?:^(?: {4}.*)\n)+", BLOCK.sub("", text), re.MULTILINE)
        for line in "\n".join([*blocks, *indented]).splitlines():
            if word.match(line) and ", by " not in line:
                yield str(page.relative_to(ROOT)), line


def dumped():
    dump = subprocess.run([binary(), "--experimental-dump-help"], stdout=subprocess.PIPE, check=True, text=True).stdout
    return json.loads(dump)["command"]


def commands(entry):
    yield entry
    for each in entry.get("subcommands", []):
        if each["commandName"] != "help":
            yield from commands(each)


def of_help():
    """Each example of the program's help, with the command's name. Two spaces end an example, a line may continue."""
    for entry in commands(dumped()):
        examples = entry.get("discussion", "").split("\n\n")[0].replace("\\\n", " ").splitlines()[1:]
        for line in examples:
            line = re.split(r"\s{2,}", line.strip())[0]
            if re.search(r"\bherald ", line):
                yield f"help of {entry['commandName']}", line


def all_commands():
    """Each different command, with the first place that has it."""
    found = {}
    for place, command in [*of_pages(), *of_help()]:
        found.setdefault(command, place)
    return sorted(found.items())


def replaced(command, digest, fingerprint):
    for before, after in REPLACED.items():
        command = command.replace(before, after)
    command = re.sub(r"\b[0-9a-f]{16}\b|\bFINGERPRINT\b", fingerprint, command)
    return command.replace("DIGEST", digest)
