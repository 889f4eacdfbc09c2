"""Reads the memberships of a state, independently of herald (Documentation/Internals/Memberships.md)."""

import base64
import struct

RECORD = struct.Struct(">16sBIB")
MEMBER, STATUS, REMOVED = range(3)


def memberships(connection, opened=lambda place, content: content):
    """Returns the scope, fingerprint, status and registration of each member, in order.

    `opened` decrypts the content of a place.
    """
    pages = {number: registrations(opened(b"registrations " + number.to_bytes(8, "big"), content))
             for number, content in connection.execute("SELECT id, registrations FROM registration_pages")}
    found = []
    for (scope,) in connection.execute("SELECT id FROM scopes ORDER BY id").fetchall():
        members = {}
        for fingerprint, content, page, slot in records(connection, scope, opened):
            kind, status = content >> 4, content & 15
            if kind == MEMBER:
                members[fingerprint] = status, pages[page][slot]
            elif kind == REMOVED:
                members.pop(fingerprint, None)
            elif fingerprint in members:
                members[fingerprint] = status, members[fingerprint][1]
        found += [(scope, fingerprint, *members[fingerprint]) for fingerprint in sorted(members)]
    return found


def records(connection, scope, opened):
    """Returns the records of a scope, the oldest first."""
    segments = connection.execute(
        "SELECT id, target, bits, done FROM membership_segments WHERE scope = ? ORDER BY id", (scope,)).fetchall()
    moved = {number: done << (64 - bits) if bits else 0 for number, _, bits, done in segments if done is not None}
    for number, target, _, _ in segments:
        start = moved.get(target, 0).to_bytes(8, "big") + bytes(8)
        for last, content in connection.execute(
                "SELECT last, records FROM membership_chunks WHERE segment = ? ORDER BY last", (number,)):
            place = b"records " + scope.to_bytes(8, "big") + number.to_bytes(8, "big") + last
            chunk = opened(place, content)
            assert chunk[0] == 2 and chunk[-RECORD.size:][:16] == last
            yield from (record for record in RECORD.iter_unpack(chunk[1:]) if record[0] >= start)


def registrations(page):
    """Returns the registrations of a page; None for those that were erased."""
    assert page[0] == 2
    found, place = [], 9
    while place < len(page):
        form, count = page[place] >> 5, (page[place] & 31) << 8 | page[place + 1]
        place += 2
        if form == 2:
            found.append(page[place:place + count].decode())
            place += count
            continue
        colon = page[place] if form == 1 else None
        place += form
        text = count - form
        size = (text * 6 + 7) // 8
        packed = page[place:place + size]
        place += size
        plain = base64.urlsafe_b64encode(packed + bytes(-len(packed) % 3)).decode()[:text]
        if colon is not None:
            plain = plain[:colon] + ":" + plain[colon:]
        found.append(plain if count else None)
    return found


def packed(registration):
    """Returns the bytes with which a state that is not encrypted stores a registration of base64url and one colon."""
    place = registration.index(":")
    text = registration.replace(":", "")
    content = base64.urlsafe_b64decode(text + "A" * (-len(text) % 4))[:(len(text) * 6 + 7) // 8]
    return (1 << 13 | len(registration)).to_bytes(2, "big") + bytes([place]) + content
