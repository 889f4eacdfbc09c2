"""Unsupported settings and missing items are refused by name and never ignored."""

import pytest

from herald import Emulator

CAMPAIGN = "campaign: one\naudience: { topic: tides }\n"


@pytest.fixture
def tides(project):
    project.write("herald.yaml", "version: 1\nproject: e2e\ntopics: { tides: {} }\n")
    return project


@pytest.mark.parametrize("message", [
    '{ notification: { title: "Hi {{first_name}}" } }',
    '{ data: { name: "{{first_name}}" } }',
    '{ apns: { payload: { aps: { alert: "{{first_name}}" }, custom: ["{{x}}"] } } }',
])
def test_refuses_unrendered_templates(tides, message):
    tides.write("campaigns/one.yaml", CAMPAIGN + f"message: {message}\n")
    tides.herald("validate").expect(65, "error[unrendered-placeholder]", "a topic has no columns")
    tides.herald("plan").expect(65)
    to_list = CAMPAIGN.replace("topic: tides", "registrations: [a]")
    tides.write("campaigns/one.yaml", to_list + f"message: {message}\n")
    tides.herald("validate").expect(65, "error[missing-column]", "a list of registrations has no column")
    tides.herald("plan").expect(65)


def test_variables_are_allowed_only_below_environments(tides):
    tides.write("herald.yaml", "version: 1\nproject: e2e\ndefaults: { message: { data: { env: '${SECRET}' } } }\n")
    result = tides.herald("validate", env={"SECRET": "s3cret"})
    result.expect(65, "environment variables are allowed only below `environments`", "herald.yaml:3:38")
    assert "s3cret" not in str(result)


def test_resolves_variables_only_for_the_selected_environment(tides):
    tides.write(
        "herald.yaml",
        "version: 1\nproject: e2e\ntopics: { tides: {} }\nenvironments:\n"
        "  bench: { emulator: { url: 'http://127.0.0.1:${BENCH_PORT}' } }\n"
        "  other: { emulator: { url: '${NOT_SET}' } }\n")
    tides.campaign("one", "{ topic: tides }")
    tides.herald("validate").expect(0)
    tides.herald("plan", "-e", "bench").expect(65, "`BENCH_PORT` is not set", "herald.yaml:5:47")
    with Emulator(tides) as emulator:
        tides.apply("-e", "bench", env={"BENCH_PORT": str(emulator.port)}).expect(0)
    assert len(tides.log.sends()) == 1


def test_plan_and_apply_refuse_unimplemented_keys(tides):
    tides.write(
        "campaigns/one.yaml", CAMPAIGN + "message:\n  notification: { title: Tide }\n  android_v2: { background_sync: {} }\n")
    tides.herald("validate").expect(0, "note[not-built-yet]", "campaigns/one.yaml:5:")
    for command in (["plan"], ["apply", "--yes"], ["apply", "--dry-run"]):
        tides.herald(*command).expect(65, "error[not-built-yet]", "nothing is planned")
    assert tides.log.requests() == []


def test_ignores_unsupported_settings_of_other_environments(tides):
    tides.write(
        "herald.yaml",
        "version: 1\nproject: e2e\ntopics: { tides: {} }\nenvironments:\n"
        "  production:\n    fcm: { project_id: tidewatch-b5ae1 }\n"
        "    defaults: { message: { android_v2: { background_sync: {} } } }\n")
    tides.campaign("one", "{ topic: tides }")
    tides.herald("plan").expect(0)
    tides.herald("plan", "-e", "production").expect(65, "`android_v2`")


@pytest.mark.covers("A56")
def test_sends_dollar_and_percent_signs_unchanged(tides):
    tides.write("campaigns/one.yaml", CAMPAIGN + "message: { notification: { title: '$GOOG up 1.43% {x}' } }\n")
    with Emulator(tides):
        tides.apply().expect(0)
    [send] = tides.log.sends()
    assert send["body"]["message"]["notification"]["title"] == "$GOOG up 1.43% {x}"


def test_refuses_a_second_document_in_the_project_file(tides):
    tides.write("herald.yaml", "version: 1\nproject: e2e\n---\ncampaign: hidden\n")
    tides.herald("validate").expect(65, "the project file must contain only one document", "herald.yaml:4:1")


def test_reports_a_misspelled_key_of_an_alert(tides):
    tides.write("campaigns/one.yaml", CAMPAIGN + "message: { apns: { payload: { aps: { alert: { titel: x } } } } }\n")
    tides.herald("validate").expect(65, "error[unknown-key]", "did you mean `title`?")


def test_reports_a_shared_device_registration_without_showing_it(tides):
    tides.devices(["a:APA91b-secret", "a:APA91b-secret"])
    tides.herald("validate").expect(65, "error[duplicate-name]", "duplicate device's registration")


def test_unreadable_campaign_directory_is_not_treated_as_empty(tides, tmp_path):
    tides.campaign("later", "{ topic: tides }", schedule="2037-03-20 07:30")
    (tides.folder / "campaigns/later").mkdir()
    (tides.folder / "campaigns/later.yaml").rename(tides.folder / "campaigns/later/later.yaml")
    with Emulator(tides):
        tides.apply().expect(0)
        (tides.folder / "campaigns/later").rename(tmp_path / "elsewhere")
        (tides.folder / "campaigns/later").symlink_to(tmp_path / "elsewhere")
        tides.herald("plan").expect(65, "campaigns/later cannot be read", "link to a folder")
        tides.apply().expect(65)
    assert tides.rows("SELECT count(*) FROM definitions") == [(1,)]


def test_validate_resolves_paths_from_the_working_directory_too(tides):
    tides.write("campaigns/bad.yaml", CAMPAIGN + "messag: {}\n")
    tides.campaign("good", "{ topic: tides }")
    for path in ("campaigns/bad.yaml", "./campaigns/bad.yaml", "campaigns", tides.folder / "campaigns/bad.yaml"):
        tides.herald("validate", path).expect(65, "did you mean `message`?")
        tides.herald("validate", path, cwd=tides.folder).expect(65)
    tides.herald("validate", "campaigns/good.yaml").expect(0)
    tides.herald("validate", "campaigns/godo.yaml").expect(64, "there is no file or directory")


def test_uses_no_proxy_for_localhost(tides):
    tides.campaign("one", "{ topic: tides }")
    with Emulator(tides):
        tides.apply(env={"http_proxy": "http://127.0.0.1:9", "no_proxy": "example.com"}).expect(0)
    assert len(tides.log.sends()) == 1


def test_inboxes_require_a_project(tmp_path):
    from herald import run
    run("emulator", "inboxes", "-C", tmp_path).expect(1, "there is no herald.yaml here")
    assert not (tmp_path / ".herald").exists()
