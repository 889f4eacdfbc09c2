"""The complete workflow on the repository's example project."""

import json
import shutil

import pytest

from herald import ROOT, Emulator, Project


@pytest.fixture
def example(tmp_path):
    folder = tmp_path / "project"
    shutil.copytree(ROOT / "campaigns", folder / "campaigns")
    shutil.copy(ROOT / "herald.yaml", folder)
    return Project.of(folder)


def retitle(project):
    path = project.folder / "campaigns/tide-alert.yaml"
    text = path.read_text()
    assert text.count("High water at 16:42") == 1
    path.write_text(text.replace("High water at 16:42", "High water at 16:43"))


def assert_inboxes_are_as_expected(project):
    expected = (ROOT / "campaigns/expected-inboxes.txt").read_text()
    assert project.herald("emulator", "inboxes").expect(0).out == expected


def assert_second_apply_finds_nothing_to_do(project):
    before = project.log.bytes()
    project.apply().expect(0, "Nothing to do")
    assert project.log.bytes() == before


def assert_new_title_sends_nothing(project):
    retitle(project)
    before = project.log.bytes()
    shown = project.herald("plan", "--detailed-exitcode").expect(2, "already sent", "16:43")
    assert shown.out.count("already sent") == 1
    plan = json.loads(project.herald("plan", "--format", "json", "--detailed-exitcode").expect(2).out)
    changed = [c for c in plan["campaigns"] if c["action"] != "unchanged"]
    assert [c["campaign"] for c in changed] == ["tide-alert"]
    assert changed[0]["changes"] == [{
        "path": "message.notification.title",
        "before": "High water at 16:42", "after": "High water at 16:43"}]
    assert plan["requests"] == []
    project.apply().expect(0)
    project.apply().expect(0, "Nothing to do")
    assert project.log.bytes() == before


def test_example_project_is_valid(example):
    example.herald("validate").expect(0)


@pytest.mark.covers("A03", "A04", "A34", "A52", "A53", "A54", "C11", "C17", "C20", "C25", "C26", "C32", "C51", "M01")
def test_plans_and_applies_with_a_separate_emulator(example):
    with Emulator(example):
        example.herald("plan").expect(0, "spring-tide-warning", "tide-alert")
        assert example.log.requests() == []
        example.apply().expect(0, "Applied")
        assert_inboxes_are_as_expected(example)
        assert_second_apply_finds_nothing_to_do(example)
        assert_new_title_sends_nothing(example)


def test_plans_and_applies_with_the_built_in_emulator(example):
    example.herald("plan").expect(0)
    example.apply().expect(0, "Applied")
    assert_inboxes_are_as_expected(example)
    assert_second_apply_finds_nothing_to_do(example)
    assert_new_title_sends_nothing(example)
    assert_inboxes_are_as_expected(example)


def test_later_emulator_shows_sends_of_the_built_in_one(example):
    example.apply().expect(0)
    sent = example.log.accepted()
    with Emulator(example):
        assert_inboxes_are_as_expected(example)
        example.apply().expect(0, "Nothing to do")
    assert example.log.accepted() == sent


@pytest.mark.covers("A02", "A07")
def test_example_sends_to_its_declared_targets(example):
    """15 campaigns are due: eight send one request to many devices, seven address registrations."""
    example.apply().expect(0)
    phone = "{}:APA91b-tidewatch-000{}".format
    ana, bo, caro, duarte = phone("ana-pixel", 1), phone("bo-iphone", 2), phone("caro-chrome", 3), phone("duarte-galaxy", 4)
    eva, gil, hana, ines = phone("eva-iphone", 5), phone("gil-nokia", 7), phone("hana-ipad", 8), phone("ines-edge", 9)
    condition = "'tides' in topics && ('azores' in topics || 'madeira' in topics)"
    assert example.log.accepted() == {
        "auction": 1, "beta": 1, "magazine": 1, "regatta": 2, "tides": 1, "azores": 1, condition: 1,
        ana: 2, bo: 3, caro: 1, duarte: 2, eva: 1, gil: 1, hana: 4, ines: 1}
    joined = [(b["to"], set(b["registration_tokens"])) for b in example.log.batches("batchAdd")]
    assert joined == [("/topics/tides", {duarte, hana, ines}), ("/topics/beta", {duarte, hana, ines})]
