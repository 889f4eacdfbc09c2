"""The documentation as a site: `make site` fails for a broken link, and search finds pages."""

import json
import re
import shutil
import subprocess

import pytest

from herald import DEADLINE, ROOT


def built(sources, folder):
    return subprocess.run(
        [sources / "Scripts/site/site.py", ROOT / ".venv-site/bin/mkdocs", folder], capture_output=True, text=True,
        timeout=DEADLINE * 2)


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    folder = tmp_path_factory.mktemp("site") / "site"
    done = built(ROOT, folder)
    assert done.returncode == 0, done.stderr
    return folder


def test_each_page_is_in_the_site_and_in_the_search(site):
    pages = {str(path.relative_to(ROOT).with_suffix(".html")) for path in (ROOT / "Documentation").rglob("*.md")}
    pages = {page.replace("README.html", "index.html") for page in pages}
    found = {str(path.relative_to(site)) for path in site.rglob("*.html")}
    assert pages - found == set()
    index = json.loads((site / "search/search_index.json").read_text())
    assert pages - {entry["location"].partition("#")[0] for entry in index["docs"]} == set()


def test_no_page_loads_anything_from_another_server(site):
    for path in site.rglob("*.html"):
        loaded = re.findall(r'<(?:script|img|iframe)[^>]* src="([^"]+)"|<link[^>]* href="([^"]+)"', path.read_text())
        assert not [address for pair in loaded for address in pair if re.match(r"(?:https?:)?//", address)], path


def test_a_broken_link_or_heading_fails(tmp_path):
    """In a copy of what the site is made from."""
    copy = tmp_path / "copy"
    subprocess.run(["git", "clone", "--quiet", "--shared", ROOT, copy], check=True, timeout=DEADLINE)
    shutil.copytree(ROOT / "Scripts/site", copy / "Scripts/site", dirs_exist_ok=True)
    page = copy / "Documentation/Guide/Validate.md"
    text = page.read_text()
    for link, message in (("[a](Plan.md#no-such-heading)", "no-such-heading"), ("[a](NoSuchPage.md)", "NoSuchPage.md")):
        page.write_text(f"{text}\n{link}\n")
        done = built(copy, tmp_path / "site")
        assert done.returncode != 0 and message in done.stderr, done
    page.write_text(text)


def test_each_page_is_in_the_index():
    """Except for pages that another page lists."""
    index = (ROOT / "Documentation/README.md").read_text()
    decisions = (ROOT / "Documentation/Decisions/README.md").read_text()
    for path in (ROOT / "Documentation").rglob("*.md"):
        name = str(path.relative_to(ROOT / "Documentation"))
        if name != "README.md":
            listed = path.name in decisions if name.startswith("Decisions/0") else f"({name})" in index
            assert listed, f"{name} is in no index"
