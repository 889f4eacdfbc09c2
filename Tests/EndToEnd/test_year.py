"""The year of `year.py`: its calendar is that of the reference, and the stored slice is current.

Tests/EngineTests/Service/Year runs the slice, and in `make soak` 1,000 campaigns, and compares the sends.
"""

import json
from collections import Counter, defaultdict
from datetime import datetime

import pytest

import year
from herald import ROOT, Project

CAMPAIGNS = 1000
SLICE = 60
FIRST, LAST = "2011-07-01", "2012-06-30"
END = year.seconds(year.START) + year.DAYS * year.DAY


@pytest.fixture(scope="module")
def campaigns():
    return year.campaigns(CAMPAIGNS, seed=2011)


def test_the_stored_slice_is_what_the_reference_computes():
    """After a change of the reference, write it again; see Tests/Goldens/year/README.md."""
    made, events = year.year(SLICE, seed=2011)
    assert (ROOT / "Tests/Goldens/year/year.json").read_text() == year.written(made)
    assert all(events[event] >= 8 for event in year.EVENTS), events


def test_each_event_occurs_often_in_the_year():
    _, events = year.year(CAMPAIGNS, seed=2011)
    assert all(events[event] >= year.LEAST for event in year.EVENTS), events


def test_the_calendar_of_the_year_agrees(campaigns, tmp_path):
    project = Project(tmp_path / "project")
    project.write("herald.yaml", year.header())
    project.write("campaigns/year.yaml", "---\n".join(campaign.yaml for campaign in campaigns))
    now = f"{FIRST}T00:00:00Z"
    project.apply(now=now).expect(0)
    days = ["--from", FIRST, "--to", LAST]
    calendar = json.loads(project.herald("calendar", *days, "--format", "json", now=now).expect(0).out)
    assert calendar["cut"] == []
    found, states = defaultdict(list), Counter()
    for day in calendar["days"]:
        for send in (send for audience in day["audiences"] for send in audience["sends"]):
            states[send["state"]] += 1
            found[send["campaign"]].append(year.seconds(datetime.fromisoformat(send["due"].replace("Z", "+00:00"))))
    assert set(states) == {"scheduled", "deferred"}
    different = [campaign for campaign in campaigns
                 if sorted(found[campaign.name]) != year.Reference(campaign, END).sends]
    assert not different, different[:5]
