#!/usr/bin/python3
"""Lists what built programs contain and need, as SPDX 2.3 in JSON, and writes their copyright file.

    sbom.py [--library FILE]... [--static PACKAGE]... [--copyright FILE] --version VERSION --output FILE PROGRAM...

A program contains Swift packages (Package.resolved), Swift's libraries and a part of ICU's data. It is linked with
libraries of Debian: those that `--library` names are in the same archive, also the ones that the first program opens itself.
`--static` names a Debian package of which each program contains a library.
The time is SOURCE_DATE_EPOCH.
"""

import argparse
import hashlib
import json
import os
import re
import subprocess
from datetime import datetime, timezone
from pathlib import Path

from licences import debian_licences, extracted, licence_of_text

ROOT = Path(__file__).resolve().parents[2]
NAMESPACE = "https://herald.invalid/spdx"


def run(*command):
    return subprocess.run(list(map(str, command)), check=True, capture_output=True, text=True).stdout


def identifier(kind, name):
    return f"SPDXRef-{kind}-" + re.sub(r"[^A-Za-z0-9.-]+", "-", name)


def package(kind, name, version, licence, purl, location="NOASSERTION", supplier="NOASSERTION"):
    return {
        "SPDXID": identifier(kind, name), "name": name, "versionInfo": version, "downloadLocation": location,
        "filesAnalyzed": False, "licenseConcluded": "NOASSERTION", "licenseDeclared": licence,
        "copyrightText": "NOASSERTION", "supplier": supplier,
        "externalRefs": [{"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl", "referenceLocator": purl}]}


def checkouts():
    """The sources of the Swift packages, from the build of the program or from another one."""
    for folder in (os.environ.get("HERALD_CHECKOUTS"), ROOT / ".build/static/checkouts", ROOT / ".build/checkouts"):
        if folder and Path(folder).is_dir():
            return Path(folder)
    raise SystemExit("sbom.py: there are no sources of Swift packages in .build\nhelp: build the program first")


def swift_packages(folder):
    """The pinned packages, with the text of their licence and their notices."""
    resolved = next(path for path in (ROOT / "Package.resolved", folder.parents[1] / "Package.resolved",
                                      folder.parents[2] / "Package.resolved") if path.exists())
    for pin in json.loads(resolved.read_text())["pins"]:
        location, state = pin["location"].removesuffix(".git"), pin["state"]
        source = folder / location.rsplit("/", 1)[1]
        text = next(source.glob("LICENSE*")).read_text()
        notices = "".join(path.read_text() for path in sorted(source.glob("NOTICE*")))
        purl = "pkg:swift/" + location.removeprefix("https://") + "@" + state["version"]
        yield package("Swift", source.name, state["version"], licence_of_text(text), purl,
                      f"git+{location}@{state['revision']}"), text, notices


def toolchain_packages():
    version = re.search(r"Swift version (\S+)", run("swift", "--version"))[1]
    yield package("Toolchain", "swift", version, "Apache-2.0 WITH Swift-exception",
                  f"pkg:github/swiftlang/swift@swift-{version}-RELEASE", "https://www.swift.org")
    yield package("Toolchain", "swift-foundation-icu", version, "Unicode-3.0",
                  f"pkg:github/swiftlang/swift-foundation-icu@swift-{version}-RELEASE", "https://www.swift.org")


def owner(library):
    """The Debian package of a library; nothing if the library belongs to none."""
    path = Path(library).resolve()
    # The package may have recorded the path below /lib, which is a link to /usr/lib.
    for place in (path, str(path).removeprefix("/usr")):
        found = subprocess.run(["dpkg-query", "--search", place], capture_output=True, text=True).stdout
        if found:
            return found.split(":")[0]
    return None


def linked(program, libraries):
    """The Debian packages of the libraries that a program is linked with. In an archive, only of those in the archive."""
    found = dict(re.findall(r"(\S+) => (/\S+)", run("ldd", program)))
    if libraries:
        found = {name: path for name, path in libraries.items() if name in found}
    return {name for path in found.values() if (name := owner(path))}


def debian_packages(names):
    for name in sorted(names):
        version, source = run("dpkg-query", "--show", "--showformat=${Version}\n${source:Package}", name).split("\n")
        licence = debian_licences(name)
        yield package("Debian", name, version, licence, f"pkg:deb/debian/{name}@{version}?distro=bookworm",
                      f"https://tracker.debian.org/pkg/{source}", "Organization: Debian")


def described(program, version):
    found = package("Program", program.name, version, "Apache-2.0", f"pkg:generic/{program.name}@{version}")
    digest = hashlib.sha256(program.read_bytes()).hexdigest()
    found["checksums"] = [{"algorithm": "SHA256", "checksumValue": digest}]
    found["primaryPackagePurpose"] = "APPLICATION"
    return found


def document(version, libraries, contained, parts):
    """The document about programs, of which `libraries` has the Debian packages. Each contains the packages in `contained`."""
    seconds = int(os.environ["SOURCE_DATE_EPOCH"])
    programs = {program: described(program, version) for program in libraries}
    relationships = []
    for program, needed in libraries.items():
        own = programs[program]["SPDXID"]
        relationships.append(("SPDXRef-DOCUMENT", "DESCRIBES", own))
        for part in parts:
            debian = part["SPDXID"].startswith("SPDXRef-Debian-")
            if not debian or part["name"] in contained:
                relationships.append((own, "STATIC_LINK", part["SPDXID"]))
            if debian and part["name"] in needed:
                relationships.append((own, "DYNAMIC_LINK", part["SPDXID"]))
    first = next(iter(programs.values()))
    name, digest = f"{first['name']}-{version}", first["checksums"][0]["checksumValue"]
    return {
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT",
        "name": name, "documentNamespace": f"{NAMESPACE}/{name}-{digest[:16]}",
        "creationInfo": {
            "created": f"{datetime.fromtimestamp(seconds, timezone.utc):%Y-%m-%dT%H:%M:%SZ}",
            "creators": ["Tool: herald-sbom-1.0"]},
        "packages": [*programs.values(), *parts],
        "hasExtractedLicensingInfos": extracted(part["licenseDeclared"] for part in parts),
        "relationships": [{"spdxElementId": a, "relationshipType": kind, "relatedSpdxElement": b}
                          for a, kind, b in relationships]}


def indented(text):
    return "".join(f" {line.rstrip()}\n" if line.strip() else " .\n" for line in text.strip().splitlines())


def copyright_file(packages):
    """A file in the form of DEP 5. Debian's copy of the Apache License stands for its text."""
    lines = ["Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\nUpstream-Name: herald\n"
             "Comment: The program contains the Swift packages below and Swift's libraries.\n\n"
             "Files: *\nCopyright: 2026 The Herald authors\nLicense: Apache-2.0\n"]
    texts = {}
    for part, text, notices in packages:
        name, licence = part["name"], part["licenseDeclared"]
        owner = re.search(r"^ *Copyright (?:\([cC]\) |©)?.*\d{4}.*$", text, re.MULTILINE)
        holder = owner[0].strip() if owner else f"The authors of {name}"
        short = licence if licence == "Apache-2.0" else f"{licence}-{name}"
        texts[short] = text
        comment = f"Comment:\n{indented(notices)}" if notices else ""
        lines.append(f"\nFiles: {name}/*\nCopyright: {holder}\nLicense: {short}\n{comment}")
    lines.append("\nFiles: swift/* swift-foundation-icu/*\nCopyright: Apple Inc. and the Swift project authors, Unicode, Inc.\n"
                 "License: Apache-2.0\nComment: With the Runtime Library Exception of Swift; ICU: Unicode License v3.\n")
    for short, text in texts.items():
        body = (" On Debian systems, the text is in /usr/share/common-licenses/Apache-2.0.\n"
                if short == "Apache-2.0" else indented(text))
        lines.append(f"\nLicense: {short}\n{body}")
    return "".join(lines)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--library", action="append", default=[])
    parser.add_argument("--static", action="append", default=[])
    parser.add_argument("--copyright", type=Path)
    parser.add_argument("--version", required=True)
    parser.add_argument("--output", type=Path, required=True)
    parser.add_argument("programs", type=Path, nargs="+")
    options = parser.parse_args()
    packages = list(swift_packages(checkouts()))
    archived = {Path(path).name: path for path in options.library}
    libraries = {program: linked(program, archived) for program in options.programs}
    # The program opens libcurl and libpq, which need the others.
    opened = {owner(path) or parser.error(f"no package has {path}") for path in options.library}
    libraries[options.programs[0]] |= opened - set().union(*libraries.values())
    debian = debian_packages(set(options.static).union(*libraries.values()))
    parts = [part for part, _, _ in packages] + list(toolchain_packages()) + list(debian)
    options.output.write_text(json.dumps(document(options.version, libraries, options.static, parts), indent=1) + "\n")
    if options.copyright:
        options.copyright.write_text(copyright_file(packages))


main()
