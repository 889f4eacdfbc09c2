"""The documentation as a site: `make site` fails for a broken link, and search finds pages."""

import json
import re
import shutil
import subprocess

import pytest

from herald import DEADLINE, ROOT


# What a new user types, and the page or heading that answers it.
SEARCHES = {
    "cron production": "Questions.html#what-fires-my-cron-in-production",
    "staging lists apart": "Questions.html#how-do-i-keep-staging-lists-apart-from-production-lists",
    "emulator GitHub Actions": "Questions.html#how-do-i-run-the-emulator-in-github-actions",
    "what does the phone get": "Questions.html#how-do-i-see-first-what-a-phone-gets",
    "stop running send": "Questions.html#how-do-i-stop-a-running-send",
    "message twice crash": "Questions.html#does-a-crash-send-a-message-twice",
    "send campaign again": "Questions.html#how-do-i-send-a-campaign-again",
    "only reviewed plan applied": "Questions.html#how-do-i-apply-only-the-reviewed-plan",
    "who sent": "Questions.html#who-sent-what",
    "back up state": "Questions.html#how-do-i-back-up-the-state",
    "night quiet hours": "Schedules.html#quiet-hours", "leave Pinpoint": "LeavingPinpoint.html",
    "daily drift": "DailyDriftCheck.html", "webhook signature": "Notifications.html#signature",
    "frequency cap": "FrequencyCaps.html", "ttl range": "ttl-out-of-range.html"}


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


def test_search_answers_what_a_new_user_asks(site):
    """Among the first three results, which are read in a minute."""
    done = subprocess.run(
        ["node", ROOT / "Tests/EndToEnd/site_search.js", site, *SEARCHES], capture_output=True, text=True, timeout=DEADLINE,
        check=True)
    for (query, answer), line in zip(SEARCHES.items(), done.stdout.splitlines(), strict=True):
        first = json.loads(line)[:3]
        assert any(location.endswith(f"/{answer}") for location in first), f"{query}: {first}"


def test_each_question_leads_to_a_page():
    """A question without a link has no details."""
    page = (ROOT / "Documentation/Guide/Questions.md").read_text()
    questions = page.split("\n## ")[1:]
    assert len(questions) >= 10
    for question in questions:
        assert "\nNext: [" in question, question.partition("\n")[0]


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
