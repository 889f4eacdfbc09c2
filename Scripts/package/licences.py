"""Names of licences as SPDX writes them, and the texts of those that it does not know."""

import re
from pathlib import Path

# The short names in Debian's copyright files that differ from those of SPDX.
NAMES = {
    "expat": "MIT", "gpl-2": "GPL-2.0-only", "gpl-2+": "GPL-2.0-or-later", "gpl-3": "GPL-3.0-only",
    "gpl-3+": "GPL-3.0-or-later", "gplv3+": "GPL-3.0-or-later", "gplv2+": "GPL-2.0-or-later",
    "lgpl-2": "LGPL-2.0-only", "lgpl-2+": "LGPL-2.0-or-later", "lgpl-2.1": "LGPL-2.1-only",
    "lgpl-2.1+": "LGPL-2.1-or-later", "lgplv2.1+": "LGPL-2.1-or-later", "lgplv3+": "LGPL-3.0-or-later",
    "lgpl-3": "LGPL-3.0-only", "lgpl-3+": "LGPL-3.0-or-later", "apache-2.0": "Apache-2.0",
    "bsd-2-clause": "BSD-2-Clause", "bsd-3-clause": "BSD-3-Clause", "bsd-4-clause": "BSD-4-Clause", "curl": "curl",
    "isc": "ISC", "mit": "MIT", "openssl": "OpenSSL", "postgresql": "PostgreSQL", "public-domain": None,
    "zlib": "Zlib", "x11": "X11", "openldap-2.8": "OLDAP-2.8", "cc0": "CC0-1.0", "cc0-1.0": "CC0-1.0",
    "boost-1.0": "BSL-1.0", "unicode": "Unicode-DFS-2016", "artistic": "Artistic-1.0", "fsfap": "FSFAP",
    "fsful": "FSFUL", "fsfullr": "FSFULLR",
}
REFERENCE = "LicenseRef-Debian-"
# Debian's file writes "MIT and GPL-3" for a choice, and adds that only the MIT licence applies in effect.
CHOSEN = {"libstrophe0": ["MIT", REFERENCE + "libstrophe0"]}
COPYRIGHTS = Path("/usr/share/doc")


def licence_of_text(text):
    """The licence of a Swift package, from the words that only its text has."""
    if "Apache License" in text[:400]:
        return "Apache-2.0"
    if "Permission is hereby granted, free of charge" in text:
        return "MIT"
    raise SystemExit(f"licences.py: the licence is not known: {text[:80]!r}")


def debian_licences(package):
    """An expression with each licence that the package's copyright file names.

    If the file has other licences, or another form, the expression also refers to the whole file.
    """
    if package in CHOSEN:
        return " AND ".join(CHOSEN[package])
    text = (COPYRIGHTS / package / "copyright").read_text(errors="replace")
    names = re.findall(r"^License: *(\S.*)$", text, re.MULTILINE) if text.startswith("Format:") else []
    words = {word.strip(" ,") for name in names for word in re.split(r"\s+(?:and/or|and|or|with .*)(?:\s+|$)", name.lower())}
    known = sorted({NAMES[word] for word in words if NAMES.get(word)})
    if not words or any(word not in NAMES for word in words):
        known.append(REFERENCE + package.replace("+", "plus"))
    return " AND ".join(known) or "NOASSERTION"


def extracted(expressions):
    """The copyright files to which expressions refer."""
    found = []
    for reference in sorted({word for expression in expressions for word in expression.split() if word.startswith(REFERENCE)}):
        name = reference.removeprefix(REFERENCE).replace("plus", "+")
        text = (COPYRIGHTS / name / "copyright").read_text(errors="replace")
        found.append({"licenseId": reference, "name": f"Copyright file of Debian's {name}", "extractedText": text})
    return found
