"""Releases: the action installs one, the workflow builds one, and the list of contents is complete."""

import hashlib
import http.server
import io
import json
import os
import re
import subprocess
import tarfile
import threading

import pytest
import yaml

from herald import DEADLINE, ROOT, binary, run

MACHINE = os.uname().machine
PROGRAM = b"#!/bin/sh\necho herald 9.8.7\n"


def archive(program=PROGRAM):
    """The bytes of an archive with a program."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as file:
        entry = tarfile.TarInfo(f"herald-9.8.7-linux-{MACHINE}/bin/herald")
        entry.mode, entry.size = 0o755, len(program)
        file.addfile(entry, io.BytesIO(program))
    return packed.getvalue()


class Releases:
    """A server with the files of one release."""

    def __init__(self, files):
        self.requests = requests = []

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                requests.append(self.path)
                body = files.get(self.path.removeprefix("/club/herald/releases/download/v9.8.7/"))
                self.send_response(404 if body is None else 200)
                self.end_headers()
                self.wfile.write(body or b"")

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"

    def __enter__(self):
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()


@pytest.fixture
def release():
    packed, name = archive(), f"herald-9.8.7-linux-{MACHINE}.tar.gz"
    files = {name: packed, f"{name}.sha256": f"{hashlib.sha256(packed).hexdigest()}  {name}\n".encode()}
    with Releases(files) as server:
        server.files, server.name, server.digest = files, name, hashlib.sha256(packed).hexdigest()
        yield server


def install(folder, release, tools="/usr/bin:/bin", **more):
    """Runs the action's first step as a runner does."""
    (folder / "path").touch()
    environment = {
        "PATH": tools, "HERALD_VERSION": "9.8.7", "HERALD_REPOSITORY": "club/herald", "RUNNER_TOOL_CACHE": str(folder / "tools"),
        "GITHUB_SERVER_URL": release.url if release else "http://127.0.0.1:9", "GITHUB_PATH": str(folder / "path")}
    return subprocess.run(
        [ROOT / "CI/install-herald"], env=environment | more, capture_output=True, text=True, timeout=DEADLINE)


def test_the_action_installs_a_release_for_the_next_step(tmp_path, release):
    done = install(tmp_path, release)
    assert done.returncode == 0, done.stderr
    folder = (tmp_path / "path").read_text().strip()
    assert subprocess.run([f"{folder}/herald"], capture_output=True, text=True).stdout == "herald 9.8.7\n"
    assert len(release.requests) == 2
    assert install(tmp_path, release).returncode == 0 and len(release.requests) == 2, "a runner keeps the release"


def test_the_action_refuses_an_archive_with_another_hash(tmp_path, release):
    release.files[release.name] = archive(PROGRAM + b"# changed\n")
    done = install(tmp_path, release)
    assert done.returncode == 1 and "has another SHA-256" in done.stderr
    assert (tmp_path / "path").read_text() == "" and not list(tmp_path.rglob("bin"))


def test_a_pinned_hash_counts_more_than_that_of_the_release(tmp_path, release):
    assert install(tmp_path, release, HERALD_SHA256=release.digest).returncode == 0
    changed = archive(PROGRAM + b"# changed\n")
    release.files[release.name] = changed
    release.files[f"{release.name}.sha256"] = f"{hashlib.sha256(changed).hexdigest()}  {release.name}\n".encode()
    (tmp_path / "other").mkdir()
    done = install(tmp_path / "other", release, HERALD_SHA256=release.digest)
    assert done.returncode == 1 and f"another SHA-256 than {release.digest}" in done.stderr


def test_the_action_verifies_which_workflow_built_the_archive(tmp_path, release):
    tools = tmp_path / "bin"
    tools.mkdir()
    (tools / "gh").write_text('#!/bin/sh\necho "$@" >>"$0.calls"\nexit 1\n')
    (tools / "gh").chmod(0o755)
    done = install(tmp_path, release, tools=f"{tools}:/usr/bin:/bin")
    assert done.returncode == 1 and "was not built by the repository's workflow" in done.stderr
    call = (tools / "gh.calls").read_text()
    assert re.fullmatch(r"attestation verify \S+\.tar\.gz --repo club/herald\n", call), call


@pytest.mark.parametrize("version, message", [
    ("installed", "herald is not installed on this runner"), ("latest", "is not a release such as 0.1.0"),
    ("0.1.0; id", "is not a release"), ("9.9.9", "could not be downloaded")])
def test_the_action_names_what_it_cannot_install(tmp_path, release, version, message):
    done = install(tmp_path, release, HERALD_VERSION=version)
    assert done.returncode in (1, 64) and message in done.stderr


def test_the_action_installs_the_version_of_its_sources():
    version = re.match(r"herald (\S+)", run("--version").expect(0).out)[1]
    action = yaml.safe_load((ROOT / "action.yml").read_text())
    assert action["inputs"]["version"]["default"] == version


def test_the_release_workflow_publishes_without_running_code_of_the_repository():
    workflow = yaml.safe_load((ROOT / ".github/workflows/release.yml").read_text())
    assert workflow["permissions"] == {"contents": "read"}
    build, publish = workflow["jobs"]["build"], workflow["jobs"]["publish"]
    assert "permissions" not in build and publish["needs"] == "build"
    assert not [step for step in publish["steps"] if "checkout" in step.get("uses", "")]
    text = "\n".join(step.get("run", "") for step in build["steps"])
    assert "sha256sum --check" in text and "${{" not in text
    for command in re.findall(r"(?:Scripts|Tests)/\S+\.(?:sh|py)", text):
        assert os.access(ROOT / command, os.X_OK), command


@pytest.fixture(scope="module")
def contents(tmp_path_factory):
    """The list of contents of the built program with two libraries, and its copyright file."""
    folder = tmp_path_factory.mktemp("contents")
    libraries = ["/usr/lib/x86_64-linux-gnu/libyaml-0.so.2", "/usr/lib/x86_64-linux-gnu/libsqlite3.so.0"]
    libraries = [path.replace("x86_64", MACHINE) for path in libraries]
    subprocess.run(
        [ROOT / "Scripts/package/sbom.py", *(f"--library={path}" for path in libraries), "--version", "9.8.7",
         "--copyright", folder / "copyright", "--output", folder / "spdx.json", binary()],
        env=os.environ | {"SOURCE_DATE_EPOCH": "1795900000"}, check=True, timeout=DEADLINE)
    return json.loads((folder / "spdx.json").read_text()), (folder / "copyright").read_text()


def test_the_list_of_contents_has_each_package_with_version_and_licence(contents):
    listed, _ = contents
    parts = {part["name"]: part for part in listed["packages"]}
    manifest = (ROOT / "Package.swift").read_text()
    for url, version in re.findall(r'\.package\(url: "(\S+)", exact: "(\S+)"\)', manifest):
        part = parts[url.rsplit("/", 1)[1]]
        assert part["versionInfo"] == version and part["licenseDeclared"] in ("Apache-2.0", "MIT"), part
    assert {"swift", "swift-foundation-icu", "libyaml-0-2", "libsqlite3-0"} <= parts.keys()
    assert "MIT" in parts["libyaml-0-2"]["licenseDeclared"].split()
    digest = hashlib.sha256(binary().read_bytes()).hexdigest()
    assert parts["herald"]["checksums"] == [{"algorithm": "SHA256", "checksumValue": digest}]
    known = {part["SPDXID"] for part in listed["packages"]} | {"SPDXRef-DOCUMENT"}
    assert {entry["relatedSpdxElement"] for entry in listed["relationships"]} == known - {"SPDXRef-DOCUMENT"}
    references = {word for part in listed["packages"] for word in part["licenseDeclared"].split() if "LicenseRef" in word}
    assert references == {entry["licenseId"] for entry in listed["hasExtractedLicensingInfos"]}


def test_each_program_names_its_own_libraries(tmp_path):
    """An archive has both programs; only herald-listen is linked with libstrophe, whose licence is a choice of which MIT applies."""
    folder = f"/usr/lib/{MACHINE}-linux-gnu"
    subprocess.run(
        [ROOT / "Scripts/package/sbom.py", *(f"--library={folder}/{name}" for name in ("libstrophe.so.0", "libexpat.so.1")),
         "--version", "9.8.7", "--output", tmp_path / "spdx.json", binary(), binary().with_name("herald-listen")],
        env=os.environ | {"SOURCE_DATE_EPOCH": "1795900000"}, check=True, timeout=DEADLINE)
    listed = json.loads((tmp_path / "spdx.json").read_text())
    links = [(entry["spdxElementId"], entry["relatedSpdxElement"]) for entry in listed["relationships"]
             if entry["relationshipType"] == "DYNAMIC_LINK"]
    program = "SPDXRef-Program-herald-listen"
    assert links == [(program, "SPDXRef-Debian-libexpat1"), (program, "SPDXRef-Debian-libstrophe0")]
    licences = {part["name"]: part["licenseDeclared"] for part in listed["packages"]}
    assert "MIT" in licences["libstrophe0"].split() and "GPL" not in licences["libstrophe0"]
    described = [entry["relatedSpdxElement"] for entry in listed["relationships"] if entry["relationshipType"] == "DESCRIBES"]
    assert described == ["SPDXRef-Program-herald", program]


def test_each_program_of_the_archive_names_the_library_that_it_contains(tmp_path):
    programs = [binary(), binary().with_name("herald-listen")]
    subprocess.run(
        [ROOT / "Scripts/package/sbom.py", f"--library=/usr/lib/{MACHINE}-linux-gnu/libyaml-0.so.2", "--static", "libstdc++6",
         "--version", "9.8.7", "--output", tmp_path / "spdx.json", *programs],
        env=os.environ | {"SOURCE_DATE_EPOCH": "1795900000"}, check=True, timeout=DEADLINE)
    listed = json.loads((tmp_path / "spdx.json").read_text())
    links = [(entry["spdxElementId"], entry["relationshipType"]) for entry in listed["relationships"]
             if entry["relatedSpdxElement"] == "SPDXRef-Debian-libstdc-6"]
    assert links == [(f"SPDXRef-Program-{program.name}", "STATIC_LINK") for program in programs]
    part, = (part for part in listed["packages"] if part["name"] == "libstdc++6")
    installed = subprocess.run(
        ["dpkg-query", "--show", "--showformat=${Version}", "libstdc++6"], capture_output=True, text=True, check=True).stdout
    assert part["versionInfo"] == installed and part["licenseDeclared"] == "LicenseRef-Debian-libstdcplusplus6"
    texts = {entry["licenseId"]: entry["extractedText"] for entry in listed["hasExtractedLicensingInfos"]}
    assert "GCC RUNTIME LIBRARY EXCEPTION" in texts[part["licenseDeclared"]]
    assert "--static libstdc++6 " in (ROOT / "Scripts/package/tarball.sh").read_text()


def test_the_copyright_file_has_the_text_of_each_licence(contents):
    listed, text = contents
    for part in listed["packages"]:
        if part["SPDXID"].startswith("SPDXRef-Swift-"):
            short = re.search(rf"^Files: {re.escape(part['name'])}/\*\n.*\nLicense: (\S+)$", text, re.MULTILINE)[1]
            assert re.search(rf"^License: {re.escape(short)}\n \S", text, re.MULTILINE), part["name"]


def test_the_part_of_icu_is_small_and_keeps_what_depends_on_no_locale(tmp_path):
    toolchain = subprocess.run(
        ["bash", "-c", 'dirname "$(dirname "$(readlink -f "$(command -v swift)")")"'], capture_output=True, text=True).stdout.strip()
    archive = f"{toolchain}/lib/swift_static/linux/lib_FoundationICU.a"
    subprocess.run([ROOT / "Scripts/small-icu-data.py", archive, tmp_path / "icu.o"], check=True, timeout=DEADLINE)
    data = (tmp_path / "icu.o").read_bytes()
    assert len(data) < 6_000_000
    for kept in (b"/root.res\0", b"/en.res\0", b"/zoneinfo64.res\0", b"/nfkc.nrm\0", b"/uts46.nrm\0"):
        assert kept in data, kept
    for dropped in (b"/de.res\0", b"/ibm-943_P15A-2003.cnv\0", b"thaidict"):
        assert dropped not in data, dropped
