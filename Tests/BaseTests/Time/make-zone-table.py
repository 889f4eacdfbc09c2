"""Writes ZoneTable.swift: what Python's zoneinfo says about clock changes.

    TZDIR=zoneinfo PYTHONTZPATH=$PWD/zoneinfo python3 make-zone-table.py > ZoneTable.swift

The files in zoneinfo/ are those of the PyPI package tzdata; tzdata.zi keeps its version.
"""

import os
import zoneinfo
from datetime import datetime, timedelta, timezone

ZONES = {
    "America/New_York": (1974, 2007, 2037, 2100, 2499),
    "America/Nuuk": (2022, 2037, 2100),
    "Europe/Berlin": (1980, 2025, 2037, 2100, 2499),
    "Europe/Dublin": (1971, 2037, 2100),
    "Atlantic/Azores": (1993, 2025, 2037, 2100, 2499),
    "Australia/Lord_Howe": (1985, 2025, 2037, 2100, 2499),
    "Africa/Casablanca": (2018, 2025, 2037, 2086, 2100),
    "Africa/Cairo": (2014, 2025, 2037, 2100, 2499),
    "Asia/Tehran": (1977, 2022, 2037, 2499),
    "Asia/Gaza": (2025, 2037, 2100),
    "Asia/Kathmandu": (1986, 2037, 2499),
    "Pacific/Apia": (2011, 2021, 2037, 2499),
}
SECOND = timedelta(seconds=1)


def offset(zone, moment):
    return moment.astimezone(zone).utcoffset()


def changes(zone, year):
    """The moments of a year, in UTC, at which the zone's offset changes."""
    day = datetime(year, 1, 1, tzinfo=timezone.utc)
    while day.year == year:
        low, high = day, day + timedelta(days=1)
        if offset(zone, low) != offset(zone, high):
            while high - low > SECOND:
                middle = low + (high - low) // 2 // SECOND * SECOND
                if offset(zone, middle) == offset(zone, low):
                    low = middle
                else:
                    high = middle
            yield high
        day += timedelta(days=1)


def text(moment):
    return moment.astimezone(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


def at_row(name, zone, moment):
    local = moment.astimezone(zone)
    saving = "saving" if local.dst() else "standard"
    seconds = int(local.utcoffset().total_seconds())
    return f"{name} at {text(moment)} {saving} {seconds} {local.tzname()}"


def local_row(name, zone, wall):
    """PEP 495: the two folds differ in a gap (later first) and where clocks go back."""
    first, second = (wall.replace(tzinfo=zone, fold=fold) for fold in (0, 1))
    ahead = int((second.utcoffset() - first.utcoffset()).total_seconds())
    if ahead > 0:
        kind = f"skipped {text(first)} {ahead}"
    elif ahead < 0:
        kind = f"doubled {text(first)} {text(second)}"
    else:
        kind = f"unique {text(first)}"
    return f"{name} local {wall.isoformat()} {kind}"


def rows():
    for name, years in ZONES.items():
        zone = zoneinfo.ZoneInfo(name)
        for year in years:
            yield at_row(name, zone, datetime(year, 7, 1, 12, tzinfo=timezone.utc))
            yield local_row(name, zone, datetime(year, 1, 15, 7, 30))
            for change in changes(zone, year):
                yield at_row(name, zone, change - SECOND)
                yield at_row(name, zone, change)
                clock = change.replace(tzinfo=None)
                low, high = sorted((clock + offset(zone, change - SECOND),
                                    clock + offset(zone, change)))
                for wall in (low - SECOND, low, low + (high - low) / 2, high - SECOND, high):
                    yield local_row(name, zone, wall)


# The table must come from the same files that the tests read.
directory = os.environ.get("TZDIR") or "/usr/share/zoneinfo"
zoneinfo.reset_tzpath([directory])
with open(f"{directory}/tzdata.zi") as source:
    version = source.readline().split()[-1]
print(f"// Written by make-zone-table.py from tzdata {version} with Python's zoneinfo; don't edit.\n")
print("/// One row a line: `ZONE at INSTANT standard|saving SECONDS ABBREVIATION`, or `ZONE local")
print("/// TIME` with `unique INSTANT`, `skipped INSTANT GAP` or `doubled FIRST SECOND`.")
print('let zoneTable = """')
for row in rows():
    print(f"    {row}")
print('    """')
