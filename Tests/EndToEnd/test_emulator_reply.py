"""Replies from the phones of the emulator's page to their app server."""

import json

import pytest

from axe import violations
from chromium import Chromium
from emulator_page import click, fill, press, tab_to, text, until, visit
from herald import Emulator, eventually


@pytest.fixture(scope="module")
def chromium():
    with Chromium() as browser:
        yield browser


@pytest.fixture
def emulator(project):
    with Emulator(project) as emulator:
        emulator.post("/emulator/v1/devices", [
            {"name": name, "platform": platform, "registration": f"{name}:token", "package": "example.tides"}
            for name, platform in (("pixel", "android"), ("iphone", "apple"), ("browser", "web"))])
        yield emulator


@pytest.fixture
def tab(chromium, emulator):
    with chromium.open(emulator.url + "/") as tab:
        until(tab, "document.querySelectorAll('article h2').length === 3", "the phones are drawn")
        yield tab
        assert tab.complaints() == []


def messages(emulator, name):
    return emulator.get(f"/emulator/v1/devices/{name}/upstream")["messages"]


def shows(tab, words):
    until(tab, f"document.getElementById('replies')?.innerText.includes({json.dumps(words)})", f"{words} is shown")


def test_a_reply_is_sent_and_its_state_is_shown(emulator, tab):
    visit(tab, "#/phones/pixel")
    until(tab, "document.getElementById('replies-note').innerText === 'No replies yet.'", "there are no replies")
    click(tab, "#phone .actions button", "Reply")
    assert violations(tab) == []
    assert tab.run("document.getElementById('reply-category').value") == "example.tides"
    fill(tab, "reply-data", "action=opt-out\nstation=a=b\nnothing")
    fill(tab, "reply-category", "example.other")
    fill(tab, "reply-life", "3600")
    fill(tab, "reply-text", "Please stop <b>")
    press(tab, "Enter")
    shows(tab, "Sent, not acknowledged")
    sent = messages(emulator, "pixel")[0]
    assert (sent["category"], sent["time_to_live"]) == ("example.other", 3600)
    assert sent["data"] == {"text": "Please stop <b>", "action": "opt-out", "station": "a=b"}
    assert tab.run("document.activeElement.id") == "phone-reply"
    assert "Please stop <b>" in text(tab, "#replies")
    emulator.post("/emulator/v1/upstream/acknowledgements", {"registration": "pixel:token", "message_id": sent["message_id"]})
    shows(tab, "Acknowledged")
    emulator.patch("/emulator/v1/devices/pixel", {"online": False})
    for number in range(21):
        emulator.post("/emulator/v1/devices/pixel/upstream", {"message": {"text": f"number {number}"}})
    shows(tab, "Waits for a connection")
    shows(tab, "Failed: 20 messages are already waiting")
    assert violations(tab) == []


def test_a_key_replies_and_escape_cancels(emulator, tab):
    tab_to(tab, "e.tagName === 'ARTICLE'")
    press(tab, "r")
    until(tab, "document.getElementById('dialog').open", "the dialog is open")
    tab.press("Escape")
    until(tab, "!document.getElementById('dialog').open && document.activeElement.tagName === 'ARTICLE'", "the phone has the focus")
    assert messages(emulator, "pixel") == []
    press(tab, "r")
    until(tab, "document.activeElement.id === 'reply-text'", "the first field has the focus")
    for character in "yes":
        press(tab, character)
    press(tab, "Enter")
    eventually(lambda: [one["data"] for one in messages(emulator, "pixel")] == [{"text": "yes"}], "it is sent", 20)
    until(tab, "document.getElementById('feed').innerText.includes('app sends a message to its server')", "the activity has it")


def test_browsers_have_no_reply(emulator, tab):
    visit(tab, "#/phones/browser")
    until(tab, "document.getElementById('phone-card').children.length > 0", "the phone is drawn")
    assert tab.run("document.getElementById('phone-reply').checkVisibility()") is False
    assert tab.run("document.getElementById('replies-section').checkVisibility()") is False


def test_an_iphone_tells_why_its_reply_waits(emulator, tab):
    visit(tab, "#/phones/iphone")
    until(tab, "document.getElementById('phone-card').children.length > 0", "the phone is drawn")
    click(tab, "#phone .actions button", "Reply")
    fill(tab, "reply-text", "yes")
    press(tab, "Enter")
    shows(tab, "Waits for a connection")
    assert text(tab, "#replies-note") == "iOS sends while the app is in the foreground."
    click(tab, "#phone-card button", "Foreground")
    shows(tab, "Sent, not acknowledged")
