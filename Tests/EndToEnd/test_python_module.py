"""The Python module of the emulator: projects, and apps of firebase-admin."""

import pytest

from admin_sdk import RELEASES, driven
from herald import ROOT, Emulator, Project

SOURCE = ROOT / "Integrations/python/src"


@pytest.fixture
def module(monkeypatch):
    monkeypatch.syspath_prepend(str(SOURCE))
    import herald_emulator

    return herald_emulator


@pytest.fixture
def tide(project, module):
    with Emulator(project) as emulator, module.Emulator(emulator.url).project("tide") as tide:
        yield tide


def send(tide, **more):
    tide.send({"topic": "tides", "notification": {"title": "High water", "body": "At 7"}} | more)


@pytest.fixture(scope="module", params=RELEASES)
def observed(request, tmp_path_factory):
    with Emulator(Project(tmp_path_factory.mktemp("module") / "project")) as emulator:
        yield driven(request.param, "module.py", {"url": emulator.url}, env={"PYTHONPATH": str(SOURCE)})


def test_redirects_every_app_and_restores_the_addresses(observed):
    found = observed["other_apps"]
    assert found["subscribed"] == found["received"] == 1
    assert all(address.startswith("http://127.0.0.1:") for address in found["during"].values())
    assert found["before"] == found["after"]
    assert all("googleapis.com" in address for address in [*found["after"].values(), found["later"]])


def test_replaces_the_default_app_and_puts_it_back(observed):
    assert observed["default_app"] == {"is_default": True, "received": 1, "is_back": True}


def test_deletes_an_app_that_was_used_in_an_event_loop_that_has_ended(observed):
    assert observed["ended_loop"] == {"sent": 1, "is_deleted": True}


def test_device_names_are_unique_and_topics_are_a_list(tide):
    tide.device(topics=["tides"])
    tide.device(topics=("tides",))
    tide.device("pixel")
    names = {one["name"] for one in tide.control("GET", "/devices")["devices"]}
    assert names == {"phone", "phone-2", "pixel"}
    with pytest.raises(ValueError, match='already has a device "pixel"'):
        tide.device("pixel")
    with pytest.raises(TypeError, match="topics must be a list of names"):
        tide.device(topics="tides")


def test_failure_is_an_assertion_with_what_arrived(tide, module):
    tide.device("pixel", topics=["tides"])
    send(tide, android={"notification": {"sound": "bell"}})
    tide.wait(sound="bell")
    with pytest.raises(AssertionError, match='1 message with title="Low water", found 0 after 1s') as failure:
        tide.wait(title="Low water", timeout=1)
    assert isinstance(failure.value, module.ExpectationError)
    assert 'pixel, tray, "High water - At 7", from /topics/tides' in str(failure.value)
    assert len(failure.traceback) > 1 and all(
        entry.frame.f_locals.get("__tracebackhide__") for entry in failure.traceback[1:])
    with pytest.raises(AssertionError, match='There is no device "nosuch" in this project'):
        tide.wait(device="nosuch", timeout=1)
    with pytest.raises(module.EmulatorError, match='There is no device "nosuch" in this project'):
        tide.change("nosuch", online=False)


def test_requests_are_those_of_senders(tide):
    tide.device("pixel", topics=["tides"])
    tide.assert_requests(0)
    send(tide)
    tide.assert_requests(1, topic="tides")
    assert len(tide.wait_for_requests()) == len(tide.requests()) == 1
    assert len(tide.requests(control=True)) == 3


def test_failure_without_messages_has_the_refused_requests(tide, module):
    with pytest.raises(AssertionError, match="No request reached this project"):
        tide.wait(timeout=0)
    with pytest.raises(module.EmulatorError):
        tide.send({"token": "gone:APA91b", "data": {"a": "1"}})
    with pytest.raises(AssertionError, match="/v1/projects/tide/messages:send, 404 UNREGISTERED"):
        tide.wait(timeout=0)
