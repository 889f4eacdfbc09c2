"""The documentation's requests with curl work, and so do its workflows for GitHub that use the emulator."""

import os
import re
import subprocess

import pytest
import yaml

from documented import BLOCK, stray_commands
from herald import DEADLINE, ROOT, Emulator, binary, variables
from postgres_programs import free_port
from services import Service

PAGES = sorted((ROOT / "Documentation").rglob("*.md"))
# Its request is for `herald run`, those of other pages are for the emulator.
SERVICE = ROOT / "Documentation/Operations/Running.md"


def requests(page):
    """The commands with curl in the blocks of a page, each as it is written, over several lines."""
    found = []
    for _, language, text in BLOCK.findall(page.read_text()):
        if language not in ("sh", "console"):
            continue
        text = re.sub(r"^\$ ", "", text, flags=re.MULTILINE)
        # A line that is deeper than the first, or inside of quotes, continues it.
        found += re.findall(r"^curl [^\n]*(?:\n +[^\n]*)*", text, re.MULTILINE)
    return found


@pytest.fixture
def shell(tmp_path):
    """Runs text in a shell whose curl fails for an answer of 400 or more."""
    tools = tmp_path / "bin"
    tools.mkdir()
    (tools / "curl").write_text('#!/bin/sh\nexec /usr/bin/curl --fail --show-error "$@"\n')
    (tools / "curl").chmod(0o755)
    (tools / "herald").symlink_to(binary())

    def run(text, **more):
        environment = variables() | {"PATH": f"{tools}:{os.environ['PATH']}"} | more
        done = subprocess.run(
            ["bash", "-eo", "pipefail", "-c", text], cwd=tmp_path, env=environment, stdin=subprocess.DEVNULL,
            capture_output=True, text=True, timeout=DEADLINE)
        assert done.returncode == 0, f"{text}\n{done.stdout}{done.stderr}"
        return done.stdout

    return run


def test_each_page_with_requests_is_tested():
    assert len([page for page in PAGES if requests(page)]) > 5


@pytest.mark.parametrize("page", [page for page in PAGES if requests(page) and page != SERVICE], ids=lambda page: page.stem)
def test_the_requests_of_a_page_work_in_order(project, shell, tmp_path, page):
    (tmp_path / "faults.json").write_text('{"rules": []}')
    with Emulator(project) as emulator:
        emulator.post("/emulator/v1/devices", [
            {"name": "boat", "platform": "web", "registration": "boat:1", "topics": ["tides"]}])
        emulator.post("/v1/projects/demo/messages:send", {"message": {"topic": "tides", "notification": {"title": "High water"}}})
        for request in requests(page):
            text = request.replace("localhost:9099", emulator.url.removeprefix("http://"))
            assert "9099" not in text or emulator.port == 9099, request
            shell(text, URL=emulator.url)


def test_the_service_answers_the_documented_request(project, shell):
    request, = requests(SERVICE)
    project.devices(["ana-1:APA91b-example"])
    project.campaign("high-water", "{ registrations: [ana-1:APA91b-example] }")
    project.apply().expect(0)
    with Service(project) as service:
        service.until_ready()
        assert shell(request.replace("http://127.0.0.1:9464", service.url)).strip() == '{"status":"ready","problems":[]}'


def test_no_command_is_in_a_block_that_no_test_reads():
    assert list(stray_commands()) == []


def workflows():
    """The jobs of the workflows for GitHub in the documentation, with the page."""
    for page in PAGES:
        for _, language, text in BLOCK.findall(page.read_text()):
            if language == "yaml" and "runs-on:" in text:
                for name, job in yaml.safe_load(text)["jobs"].items():
                    yield page, name, job


def test_a_job_that_runs_herald_installs_it_first():
    found = 0
    for page, name, job in workflows():
        is_installed = False
        for step in job["steps"]:
            is_installed |= step.get("uses", "").startswith("OWNER/herald@")
            if re.search(r"\bherald ", step.get("run", "")):
                found += 1
                assert is_installed, f"{page}: the job {name} runs herald, and no step installs it"
    assert found >= 5


def test_the_workflow_with_the_emulator_runs_word_for_word(shell, tmp_path):
    """The steps of the guide, with a free port, and a test of one send in place of the reader's."""
    job, = [job for page, name, job in workflows() if page.name == "TestingYourSender.md"]
    port = free_port()
    (tmp_path / "test-sender.sh").write_text(
        '#!/bin/sh\nexec curl --silent "$FCM_URL/v1/projects/demo/messages:send" --header "Authorization: Bearer x" '
        """--data '{"message": {"token": "p1", "notification": {"title": "Hello"}}}'\n""")
    (tmp_path / "test-sender.sh").chmod(0o755)
    script = [step["run"] for step in job["steps"] if "run" in step]
    assert len(script) == 4
    sender, = [step for step in job["steps"] if step.get("run") == "./test-sender.sh"]
    # The runner ends what is left at the end of the job.
    text = "\n".join(["trap 'kill $(jobs -p)' EXIT", *script]).replace("9099", str(port))
    out = shell(text, RUNNER_TEMP=str(tmp_path), FCM_URL=sender["env"]["FCM_URL"].replace("9099", str(port)))
    assert "1 matching message." in out and "projects/demo/messages/" in out
