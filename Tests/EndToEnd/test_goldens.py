"""The JSON messages printed in FCM's documentation are what Herald puts on the wire."""

import json
import shutil

import pytest

from herald import ROOT, Emulator, Project

DOCUMENTS = ROOT / "Tests/Goldens/documents"
GOLDENS = sorted(path.stem for path in (DOCUMENTS / "wire").glob("*.json"))
TOKEN = "bk3RNwTe3H0:CI2k_HHwgIpoDKCIZvvDMExUdFQ3P1..."


@pytest.fixture(scope="module")
def wire(tmp_path_factory):
    """What each campaign of the golden project sent, by its campaign's name."""
    folder = tmp_path_factory.mktemp("goldens") / "documents"
    shutil.copytree(DOCUMENTS, folder)
    project = Project.of(folder)
    project.write(
        "campaigns/devices.yaml",
        f'devices: documents\nphones: [{{ name: phone, platform: android, registration: "{TOKEN}" }}]\n')
    with Emulator(project):
        plan = project.plan()
        project.apply().expect(0)
    names = [campaign["campaign"] for campaign in plan["campaigns"]]
    sends = project.log.sends()
    assert len(sends) == len(names), "each campaign is one request"
    return dict(zip(names, sends))


def test_every_campaign_of_the_golden_project_has_a_golden(wire):
    assert len(GOLDENS) >= 6
    assert sorted(wire) == GOLDENS


@pytest.mark.covers(
    "A42", "A43", "A46", "A48", "A50", "A56", "A57", "A58", "C06", "C09", "C11", "C13",
    "C16", "C21", "C29", "C46", "C54", "F1.3-notification", "F1.3-platforms", "F1.6-headers", "M05")
@pytest.mark.parametrize("name", GOLDENS)
def test_the_wire_form_is_what_the_documentation_prints(wire, name):
    printed = json.loads((DOCUMENTS / "wire" / f"{name}.json").read_text())
    assert wire[name]["body"] == printed
    assert wire[name]["status"] == 200
