"""axe-core finds no violation on the pages that people look at, at any width and in both schemes."""

import pytest

from axe import violations
from chromium import Chromium
from season import Season

WIDTHS = (390, 1440, 2560)
PAGES = ("plan", "simulate", "calendar")


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    season = Season(tmp_path_factory.mktemp("season") / "project")
    return {command: season.page(command) for command in PAGES}


@pytest.fixture(scope="module")
def chromium():
    with Chromium() as browser:
        yield browser


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("command", PAGES)
def test_page_has_no_violation(chromium, pages, command, width, dark):
    with chromium.open(pages[command], width=width, dark=dark) as tab:
        assert tab.run("document.documentElement.scrollWidth") <= width, "it scrolls horizontally"
        tab.run("document.querySelectorAll('details').forEach(d => { d.open = true })")
        assert violations(tab) == []
        assert tab.requests() == [] and tab.complaints() == []


def test_filtered_plan_has_no_violation(chromium, pages):
    with chromium.open(pages["plan"], width=1440) as tab:
        for choice in ("[data-topic=madeira]", "[data-period=week]"):
            tab.run(f"document.querySelector('#filter {choice}').click()")
        assert tab.run("document.querySelectorAll('.only-if').length") > 0
        assert violations(tab) == []


def test_a_violation_is_found(chromium, pages, tmp_path):
    """Proves that the other tests can fail."""
    other = tmp_path / "other.html"
    other.write_text(pages["plan"].read_text().replace("<main", "<p><span role=\"button\" tabindex=\"0\"></span></p><main"))
    with chromium.open(other, width=1440) as tab:
        assert [text for text in violations(tab) if text.startswith("aria-command-name:")]
