#!/usr/bin/python3
"""Embeds the pages of the rules in the program, and lists them in Documentation/Rules/README.md.

Reads Sources/Language/CampaignRules/Rules/<RuleName>/<rule-id>.md. Writes RulePages.swift in
CampaignRules, and the tables between the two markers of the README. Needs only Python. Prints every
problem with its place and exits with 1 if there is one. With --check, writes nothing and reports
stale files.
"""

import os
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
RULES = Path("Sources/Language/CampaignRules/Rules")
SWIFT = Path("Sources/Language/CampaignRules/RulePages.swift")
INDEX = Path("Documentation/Rules/README.md")
BEGIN = "<!-- Scripts/embed-rule-pages.py writes the tables from here -->"
END = "<!-- to here -->"
TABLES = [
    ("Errors", "Herald refuses files with errors.",
     lambda severity, configurable: severity == "Error" and not configurable),
    ("Errors that can be silenced",
     "An author can silence one with a comment, or turn the rule off in `rules` in `herald.yaml`.",
     lambda severity, configurable: severity == "Error" and configurable),
    ("Warnings", "Herald shows warnings. They do not stop a command.",
     lambda severity, configurable: severity == "Warning"),
    ("Notes", "Notes point to possible mistakes. Only `herald validate` shows them.",
     lambda severity, configurable: severity == "Note"),
]


class Page:
    def __init__(self, path):
        self.path = path
        self.name = path.parent.name
        self.id = path.stem
        self.text = (ROOT / path).read_text(encoding="utf-8")

    @property
    def case(self):
        """The Swift name: `TTLOutOfRange` is `ttlOutOfRange`."""
        start = re.match("[A-Z]+(?=[A-Z][a-z]|$)|[A-Z]", self.name)[0]
        return start.lower() + self.name[len(start):]

    @property
    def head(self):
        """The paragraph below the title."""
        return self.text.split("\n\n")[1] if self.text.count("\n\n") > 1 else ""

    @property
    def severity(self):
        return self.head.split(". ")[0]

    @property
    def configurable(self):
        return f"`# herald: allow {self.id}, REASON`" in self.head

    @property
    def summary(self):
        """The first sentence of the first section; a full stop in code does not end it."""
        paragraph = self.text.split("\n## What it does\n\n", 1)[-1].split("\n", 1)[0]
        sentence = re.match(r"(?:[^`.]|`[^`]*`|\.(?! |$))*\.", paragraph)
        return sentence[0] if sentence else paragraph

    def problems(self):
        if self.name.lower() != self.id.replace("-", ""):
            yield f"the folder {self.name} and the page {self.id}.md have different names"
        if not self.text.startswith(f"# {self.id}\n\n"):
            yield f"the title is not `{self.id}`"
        if self.severity not in ("Error", "Warning", "Note"):
            yield "the paragraph below the title does not begin with `Error. `, `Warning. ` or `Note. `"


def literal(text):
    """A raw string literal, indented for `switch`."""
    marks = "#"
    while f'"""{marks}' in text or f"\\{marks}" in text:
        marks += "#"
    lines = [f'{marks}"""', *text.split("\n"), f'"""{marks}']
    return "".join(f"            {line}\n" if line else "\n" for line in lines)


def swift(pages):
    cases = "".join(f"        case .{page.case}:\n{literal(page.text)}" for page in pages)
    return ("// swift-format-ignore-file\n"
            "// Scripts/embed-rule-pages.py writes this file from Rules/*/*.md.\n"
            "\n"
            "import Diagnostics\n"
            "\n"
            "extension RuleID {\n"
            "    /// The page of the rule.\n"
            "    var markdown: String {\n"
            "        switch self {\n"
            f"{cases}"
            "        }\n"
            "    }\n"
            "}\n")


def index(pages, old):
    """The README with new tables."""
    before, begin, rest = old.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not (begin and end):
        sys.exit(f"{INDEX}: the markers `{BEGIN}` and `{END}` are missing")
    parts = []
    for title, text, belongs in TABLES:
        parts += [f"## {title}", text, "\n".join(["| rule | summary |", "| --- | --- |"] + [
            row(page) for page in pages if belongs(page.severity, page.configurable)])]
    return before + begin + "\n\n" + "\n\n".join(parts) + "\n\n" + end + after


def row(page):
    link = os.path.relpath(page.path, INDEX.parent)
    return f"| [`{page.id}`]({link}) | " + page.summary.replace("|", "\\|") + " |"


def main(arguments):
    if arguments not in ([], ["--check"]):
        sys.exit("usage: embed-rule-pages.py [--check]")
    folders = sorted(path.relative_to(ROOT) for path in (ROOT / RULES).iterdir() if path.is_dir())
    pages = sorted((Page(path.relative_to(ROOT)) for path in (ROOT / RULES).glob("*/*.md")), key=lambda page: page.id)
    problems = [f"{page.path}: {problem}" for page in pages for problem in page.problems()]
    for folder in folders:
        count = sum(page.path.parent == folder for page in pages)
        if count != 1:
            problems.append(f"{folder}: has {count} pages instead of 1")
    if not problems:
        old = (ROOT / INDEX).read_text(encoding="utf-8")
        for path, text in ((SWIFT, swift(pages)), (INDEX, index(pages, old))):
            if (ROOT / path).exists() and (ROOT / path).read_text(encoding="utf-8") == text:
                continue
            if arguments:
                problems.append(f"{path}: stale, run `make rules`")
            else:
                (ROOT / path).write_text(text, encoding="utf-8")
    print("".join(f"{problem}\n" for problem in problems), end="", file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
