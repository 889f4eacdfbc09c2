"""Writes csv-cases.ndjson: CSV texts made by chance, and what Python's csv module reads in them.

    python3 make-csv-cases.py > csv-cases.ndjson

Each line has a text and its records, each with the line where it begins; `null` stands for a text
that Python refuses in its strict mode.
"""

import csv
import io
import json
import random

CHANCE = random.Random(20370320)
PIECES = [
    "a", "angler:1", "token_X-9", " ", "", ",", '"', '""', "\n", "\r\n", "\r", ";", "\t", "'", "\\", "#", "=1+1",
    "潮", "é", "e\u0301", "🌊", "\u00a0", "\ufeff", "\u2028", "0", "-7.5", "null", "São Miguel", "x" * 40,
]


def records(text):
    """Python's reading, empty lines left out; StringIO ends lines at line feeds alone."""
    source = csv.reader(io.StringIO(text, newline="\n"), strict=True)
    found, begin = [], 1
    try:
        for record in source:
            if record:
                found.append([begin, record])
            begin = source.line_num + 1
    except csv.Error:
        return None
    return found


def field():
    return "".join(CHANCE.choices(PIECES, k=CHANCE.choice([0, 1, 1, 2, 3, 5])))


def table():
    return [[field() for _ in range(CHANCE.randint(1, 5))] for _ in range(CHANCE.randint(1, 6))]


def by_writer(rows, end):
    """Python's csv module as the writer; since it leaves carriage returns as they are, they get quotes."""
    quoting = CHANCE.choice([csv.QUOTE_ALL, csv.QUOTE_MINIMAL, csv.QUOTE_NONNUMERIC])
    if any("\r" in value for row in rows for value in row):
        quoting = csv.QUOTE_ALL
    text = io.StringIO(newline="")
    csv.writer(text, quoting=quoting, lineterminator=end).writerows(rows)
    return text.getvalue()


def by_hand(rows, end):
    """Quotes where they are needed, and by chance elsewhere; empty lines between records."""
    def spelt(value):
        needs = any(mark in value for mark in ',"\r\n')
        return '"' + value.replace('"', '""') + '"' if needs or CHANCE.random() < 0.3 else value

    lines = []
    for row in rows:
        if CHANCE.random() < 0.2:
            lines.append("")
        line = ",".join(map(spelt, row))
        lines.append(line or '""')
    return end.join(lines)


def well_formed():
    end = CHANCE.choice(["\n", "\r\n"])
    text = CHANCE.choice([by_writer, by_hand])(table(), end)
    if CHANCE.random() < 0.2:
        text = text[:-len(end)] if text.endswith(end) else text + end
    return text


def soup():
    return "".join(CHANCE.choices(["a", "b c", '"', '"', ",", "\n", "\r\n", "\r", "潮"], k=CHANCE.randint(2, 12)))


def main():
    cases = {}
    while len(cases) < 200:
        text = well_formed()
        # A byte order mark of the file's own is no part of its first field.
        if not text.startswith(("\ufeff", '"\ufeff')):
            mark = CHANCE.choice(["", "", "\ufeff"])
            cases[mark + text] = records(text)
    while len(cases) < 320:
        text = soup()
        found = records(text)
        # Python takes a quotation mark inside of a field without any, and carriage returns as line ends; RFC 4180
        # does not.
        lax = found is not None and ("\r\r" in text or any('"' in value for _, row in found for value in row))
        if not lax:
            cases[text] = found
    for text, found in cases.items():
        print(json.dumps({"text": text, "records": found}, ensure_ascii=False))


main()
