"""Writes csv-cases.ndjson: random CSV texts, and the records that Python's csv module reads from them.

    python3 make-csv-cases.py > csv-cases.ndjson

Each line has a text and its records, each with the line where it begins; `null` means
that Python refuses the text in its strict mode.
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
    """Returns Python's records without empty lines. StringIO ends lines only at line feeds."""
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
    """Returns text from Python's csv module. All fields are quoted if one has a carriage return, which the module would not quote."""
    quoting = CHANCE.choice([csv.QUOTE_ALL, csv.QUOTE_MINIMAL, csv.QUOTE_NONNUMERIC])
    if any("\r" in value for row in rows for value in row):
        quoting = csv.QUOTE_ALL
    text = io.StringIO(newline="")
    csv.writer(text, quoting=quoting, lineterminator=end).writerows(rows)
    return text.getvalue()


def by_hand(rows, end):
    """Returns text with quotes where they are needed and randomly elsewhere, and with empty lines between records."""
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
        # A byte order mark at the start of the file is not part of the first field.
        if not text.startswith(("\ufeff", '"\ufeff')):
            mark = CHANCE.choice(["", "", "\ufeff"])
            cases[mark + text] = records(text)
    while len(cases) < 320:
        text = soup()
        found = records(text)
        # Python accepts a quotation mark inside an unquoted field, and carriage returns as line ends; RFC 4180 does
        # not.
        lax = found is not None and ("\r\r" in text or any('"' in value for _, row in found for value in row))
        if not lax:
            cases[text] = found
    for text, found in cases.items():
        print(json.dumps({"text": text, "records": found}, ensure_ascii=False))


main()
