#!/usr/bin/python3
"""Writes the part of ICU's data that Herald's program is linked with: small-icu-data.py ARCHIVE OBJECT

ARCHIVE is Swift's lib_FoundationICU.a. Its data are 34 MB: names, formats and sort orders of 700 locales. Herald
formats nothing by locale. The object contains the data that do not depend on a locale, and those of the root and of
English, under the same symbol. A linker that gets the object does not take the archive's.

The format of the data is CmnD 1.0: a header, the number of items, a table of (name, data) offsets, names, data.
"""

import re
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

SYMBOL = re.compile(r"^([0-9a-f]+) ([0-9a-f]+) \w (icudt\d+_dat)$", re.MULTILINE)
# Items of one locale are in a folder (`curr/de.res`) or at the top (`de.res`).
LOCALE = re.compile(r"^(?:(?:brkitr|coll|curr|lang|rbnf|region|translit|unit|zone)/)?[a-z]{2,3}(?:_\w+)*\.res$")
KEPT_LOCALES = {"root", "en", "en_US", "en_001"}
# Tables for a conversion from other encodings, for words of languages without spaces, and for transliteration.
NEVER = re.compile(r"(\.cnv$|^translit/|^brkitr/\w*dict|^brkitr/.*\.dict$|^rbnf/|^coll/ucadata-(?!unihan))")


def run(*command, **options):
    return subprocess.run(list(map(str, command)), check=True, capture_output=True, text=True, **options).stdout


def original(archive, folder):
    """The symbol's name and its bytes."""
    run("ar", "x", Path(archive).resolve(), "icu_packaged_data.cpp.o", cwd=folder)
    member = folder / "icu_packaged_data.cpp.o"
    offset, size, name = SYMBOL.search(run("nm", "--print-size", "--defined-only", member)).groups()
    sections = [line.split() for line in run("objdump", "--section-headers", "--wide", member).splitlines()]
    symbol = next(line for line in run("objdump", "--syms", member).splitlines() if line.endswith(f" {name}"))
    section = next(words for words in sections if len(words) > 5 and words[1] == symbol.split()[-3])
    begin = int(section[5], 16) + int(offset, 16)
    return name, member.read_bytes()[begin:begin + int(size, 16)]


def items(data):
    """The header and the items of a package by name."""
    header, magic = struct.unpack_from("<HH", data)
    if magic != 0x27DA or data[12:16] != b"CmnD" or data[16] != 1:
        sys.exit("small-icu-data.py: the data are not a CmnD package of version 1")
    count, = struct.unpack_from("<I", data, header)
    table = [struct.unpack_from("<II", data, header + 4 + 8 * place) for place in range(count)]
    ends = [begin for _, begin in table[1:]] + [len(data) - header]
    named = {}
    for (name, begin), end in zip(table, ends):
        text = data[header + name:data.index(b"\0", header + name)].decode()
        named[text] = data[header + begin:header + end]
    return data[:header], named


def is_kept(name):
    """Whether an item, such as `icudt76l/curr/de.res`, is linked."""
    local = name.partition("/")[2]
    if NEVER.search(local):
        return False
    return not LOCALE.match(local) or Path(local).stem in KEPT_LOCALES


def packed(header, named):
    """A package of the items, in the order of their names; each begins at a multiple of 16 bytes."""
    names, offsets, bodies = bytearray(), [], bytearray()
    names_begin = 4 + 8 * len(named)
    ordered = sorted(named.items())
    for name, _ in ordered:
        offsets.append(names_begin + len(names))
        names += name.encode() + b"\0"
    begin = -(-(names_begin + len(names)) // 16) * 16
    names += bytes(begin - names_begin - len(names))
    table = bytearray(struct.pack("<I", len(named)))
    for offset, (_, body) in zip(offsets, ordered):
        table += struct.pack("<II", offset, begin + len(bodies))
        bodies += body + bytes(-len(body) % 16)
    return header + bytes(table + names + bodies)


def main():
    archive, target = sys.argv[1], Path(sys.argv[2])
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        symbol, data = original(archive, folder)
        header, named = items(data)
        kept = {name: body for name, body in named.items() if is_kept(name)}
        # An item begins at a multiple of 16 bytes if the header does.
        assert len(header) % 16 == 0
        (folder / "data").write_bytes(packed(header, kept))
        (folder / "data.s").write_text(
            f'.section .rodata\n.globl {symbol}\n.balign 16\n.type {symbol}, @object\n{symbol}:\n'
            f'.incbin "data"\n.size {symbol}, . - {symbol}\n.section .note.GNU-stack,"",@progbits\n')
        run("clang", "-c", "data.s", "-o", target.resolve(), cwd=folder)
        print(f"Kept {len(kept)} of {len(named)} items of ICU's data, {(folder / 'data').stat().st_size:,} of {len(data):,} bytes")


main()
