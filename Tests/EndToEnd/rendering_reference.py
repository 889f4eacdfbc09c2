"""An independent reference of personal text: the message that each row of a list gets.

It follows Documentation/Reference/Language.md and RFC 4647 with Python's own readers, and shares nothing with herald.
"""

import csv
import functools
import json
import re

PLACEHOLDER = re.compile(r"\{\{ *(.*?) *\}\}")


def rows(path):
    """Yields the rows of a `.csv` or `.ndjson` file as texts by column. The text of a missing value is empty."""
    is_csv = path.suffix == ".csv"
    with open(path, encoding="utf-8-sig", newline="" if is_csv else "\n") as file:
        if is_csv:
            yield from csv.DictReader(file, strict=True)
        else:
            for line in file:
                # Numbers keep their spelling.
                row = json.loads(line, parse_int=str, parse_float=str)
                yield {column: value if isinstance(value, str) else {None: "", True: "true", False: "false"}[value]
                       for column, value in row.items()}


@functools.cache
def lookup(tag, keys):
    """Returns the key that RFC 4647, section 3.4, finds for a language tag; None if there is none."""
    subtags = tag.lower().split("-")
    while subtags:
        for key in keys:
            if key.lower() == "-".join(subtags):
                return key
        subtags.pop()
        while subtags and len(subtags[-1]) == 1:
            subtags.pop()
    return None


def merged(base, patch):
    """Merges mappings deeply. Any other value replaces the inherited one, and null removes it."""
    if not (isinstance(base, dict) and isinstance(patch, dict)):
        return patch
    kept = {key: value for key, value in base.items() if key not in patch}
    return kept | {key: merged(base[key], value) if key in base else value
                   for key, value in patch.items() if key not in base or value is not None}


def filled(value, row):
    """Replaces the placeholders of all texts once: an inserted value is not read again, and keys stay as they are."""
    if isinstance(value, dict):
        return {key: filled(each, row) for key, each in value.items()}
    if isinstance(value, list):
        return [filled(each, row) for each in value]
    return PLACEHOLDER.sub(lambda found: row[found[1]], value) if isinstance(value, str) else value


def expected(row, message, locales=None, defaults=None, column="locale"):
    """Returns the message for a row, without its target and the key by which a repeat replaces it."""
    row = (defaults or {}) | {name: value for name, value in row.items() if value}
    key = lookup(row.get(column, ""), tuple(locales or ()))
    return filled(merged(message, locales[key]) if key else message, row)
