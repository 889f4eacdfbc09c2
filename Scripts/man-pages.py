#!/usr/bin/python3
"""Writes a manual page for each command from the program's own help: man-pages.py HERALD FOLDER

The format is mdoc(7), the BSD manual macros, which man-db and mandoc read. The date is
SOURCE_DATE_EPOCH if it is set, otherwise today.
"""

import datetime
import json
import os
import re
import subprocess
import sys
from pathlib import Path

HEADING = re.compile(r"^[A-Z][A-Z ]+$")


def escaped(text):
    """Text escaped for roff, so that it contains no macro, no escape and no typographic hyphen."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return "\\&" + text if text.startswith((".", "'")) else text


def argument(text):
    """One macro argument, escaped so that the name of a macro is not called."""
    return '"\\&' + escaped(text).replace('"', '""') + '"'


def filled(text):
    """Running text with one sentence per line, as mdoc requires."""
    return [escaped(line) for line in re.sub(r"([.:;?!]) +(?=[A-Z`])", "\\1\n", " ".join(text.split())).splitlines()]


def date():
    seconds = os.environ.get("SOURCE_DATE_EPOCH")
    zone = datetime.timezone.utc
    day = datetime.datetime.fromtimestamp(int(seconds), zone) if seconds else datetime.datetime.now(zone)
    return f"{day:%B} {day.day}, {day.year}"


def sections(discussion):
    """The paragraphs of a discussion by heading. Paragraphs without a heading come first."""
    found = {"": []}
    heading = ""
    for block in re.split(r"\n[ \t]*\n", discussion.strip("\n")):
        first, _, rest = block.partition("\n")
        if HEADING.match(first):
            heading, block = first, rest
            found[heading] = []
        elif not block.startswith(" "):
            heading = ""
        if block:
            found[heading].append(block)
    return found


def paragraphs(blocks):
    """Paragraphs as mdoc. Indented lines are kept, other lines are filled."""
    lines = []
    for block in blocks:
        if all(line.startswith("  ") for line in block.splitlines()):
            lines += [".Bd -literal -offset indent"]
            lines += [escaped(line.removeprefix("  ")) for line in block.splitlines()]
            lines += [".Ed"]
        elif "  " in block:
            lines += [".Bd -literal", *map(escaped, block.splitlines()), ".Ed"]
        else:
            lines += [".Pp"] * bool(lines) + filled(block)
    return lines


def flag(name):
    return {"short": "-", "long": "--", "longWithSingleDash": "-"}[name["kind"]] + name["name"]


def option(entry):
    """The list tag of an option or an argument."""
    if entry["kind"] == "positional":
        return ".It Ar " + argument(entry["valueName"])
    names = " , ".join("Fl " + argument(flag(name)[1:]) for name in entry["names"])
    value = " Ar " + argument(entry["valueName"]) if entry["kind"] == "option" else ""
    return ".It " + names + value


def use(entry):
    """An argument in the synopsis."""
    if entry["kind"] == "positional":
        text = "Ar " + argument(entry["valueName"])
    else:
        text = "Fl " + argument(flag(entry["preferredName"])[1:])
        text += " Ar " + argument(entry["valueName"]) if entry["kind"] == "option" else ""
    text += ' No "\\&..."' if entry["isRepeating"] else ""
    return ("." if not entry["isOptional"] else ".Op ") + text


def described(entry):
    lines = filled(entry.get("abstract", "")) + filled(entry.get("discussion", ""))
    facts = []
    if entry.get("allValues"):
        facts.append("one of " + ", ".join(entry["allValues"]))
    if entry.get("defaultValue"):
        facts.append("default: " + entry["defaultValue"])
    return lines + filled("(" + "; ".join(facts) + ")") if facts else lines


def listed(title, entries):
    if not entries:
        return []
    lines = [f".Sh {title}", ".Bl -tag -width Ds"]
    for entry in entries:
        lines += [option(entry), *described(entry)]
    return [*lines, ".El"]


def shown(items):
    return [item for item in items or [] if item.get("shouldDisplay", True)]


def page(command, parents, day):
    names = [*parents, command["commandName"]]
    title = "-".join(names)
    arguments = shown(command.get("arguments"))
    subcommands = [each for each in shown(command.get("subcommands")) if each["commandName"] != "help"]
    parts = sections(command.get("discussion", ""))
    lines = [f".Dd {day}", f".Dt {title.upper()} 1", ".Os Herald", ".Sh NAME", f".Nm {title}"]
    lines += [f".Nd {escaped(command['abstract'].rstrip('.'))}", ".Sh SYNOPSIS"]
    lines += [f".Nm {' '.join(names)}", *map(use, sorted(arguments, key=lambda each: each["kind"] == "positional"))]
    lines += [".Ar command", '.Op Ar "\\&..."'] if subcommands else []
    lines += [".Sh DESCRIPTION", *(paragraphs(parts.pop("")) or filled(command["abstract"]))]
    if subcommands:
        lines += [".Bl -tag -width Ds"]
        for each in subcommands:
            lines += [f".It Nm {' '.join(names)} {each['commandName']}", *filled(each["abstract"])]
        lines += [".El"]
    lines += listed("ARGUMENTS", [each for each in arguments if each["kind"] == "positional"])
    lines += listed("OPTIONS", [each for each in arguments if each["kind"] != "positional"])
    order = ["EXIT CODES", "EXAMPLES"]
    for heading in sorted(parts, key=lambda name: order.index(name) if name in order else -1):
        lines += [f".Sh {'EXIT STATUS' if heading == 'EXIT CODES' else heading}", *paragraphs(parts[heading])]
    related = ["-".join([*names, each["commandName"]]) for each in subcommands]
    related += ["-".join(parents)] if parents else []
    if related:
        lines += [".Sh SEE ALSO"]
        lines += [f".Xr {name} 1{' ,' if name != sorted(related)[-1] else ''}" for name in sorted(related)]
    return title, "\n".join(lines) + "\n", subcommands


def write(command, parents, folder, day):
    title, text, subcommands = page(command, parents, day)
    (folder / f"{title}.1").write_text(text)
    for each in subcommands:
        write(each, [*parents, command["commandName"]], folder, day)


def main():
    herald, folder = sys.argv[1], Path(sys.argv[2])
    dumped = subprocess.run([herald, "--experimental-dump-help"], stdout=subprocess.PIPE, check=True).stdout
    folder.mkdir(parents=True, exist_ok=True)
    write(json.loads(dumped)["command"], [], folder, date())


main()
