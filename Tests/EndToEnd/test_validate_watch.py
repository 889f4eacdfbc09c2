"""`herald validate --watch` validates again after each save until it is interrupted."""

import os
import signal

import pytest

from herald import Project, Running, eventually, token
from test_terminal import Terminal

GOOD = "campaign: one\naudience: { topic: tides }\nmessage: { data: { a: b } }\ndelivery: { ttl: 1h }\n"
BAD = GOOD.replace("tides", "tydes")


@pytest.fixture
def bench(tmp_path):
    project = Project(tmp_path / "project", topics=["tides"])
    project.write("campaigns/one.yaml", GOOD)
    return project


class Watching(Running):
    """A running `validate --watch` whose validations can be awaited."""

    def __init__(self, project, *arguments):
        super().__init__(project, "validate", "--watch", *arguments)
        self.reports = 0

    def next(self):
        """Waits for the next validation and returns its standard output."""
        self.reports += 1
        eventually(lambda: self.process.poll() is None and self.texts()[1].count("Watching ") >= self.reports, f"report {self.reports}")
        assert self.texts()[1].count("Watching ") == self.reports
        return self.texts()[0].split("--- ")[self.reports - 1]


def save(project, path, text):
    """Saves like an editor: a new file replaces the old one."""
    new = project.folder / ".new"
    new.write_text(text)
    os.replace(new, project.folder / path)


def test_validates_after_each_save(bench):
    with Watching(bench) as watch:
        assert watch.next() == ""
        save(bench, "campaigns/one.yaml", BAD)
        text = watch.next()
        assert text.startswith("campaigns/one.yaml changed\n") and "error[unknown-topic]" in text
        bench.write("herald.yaml", "version: 1\nproject: e2e\ntopics: { tides: {}, tydes: {} }\n")
        assert watch.next() == "herald.yaml changed\n"
        bench.write("campaigns/deep/er/two.yaml", "campaign: two\naudience: { topic: none }\nmessage: {}\n")
        assert "topic `none` is not declared" in watch.next()
        (bench.folder / "campaigns/deep/er/two.yaml").unlink()
        assert watch.next() == "campaigns/deep/er/two.yaml changed\n"
        watch.signal(signal.SIGINT)
        result = watch.finish()
    assert result.code == 130
    assert result.err.count("No problem found") == 3


def test_watches_lists_in_any_directory(bench):
    bench.write("lists/all.txt", token(1) + "\n")
    bench.campaign("two", "{ registrations: lists/all.txt }")
    with Watching(bench) as watch:
        assert watch.next() == ""
        bench.write("lists/all.txt", f"{token(1)}\n{token(1)}\n")
        text = watch.next()
        assert text.startswith("lists/all.txt changed\n") and "error[duplicate-registration]" in text
        watch.signal(signal.SIGTERM)
        assert watch.finish().code == 130


def test_detects_a_new_file_of_the_same_size_and_age(bench):
    path = bench.folder / "campaigns/one.yaml"
    with Watching(bench) as watch:
        assert watch.next() == ""
        new = bench.folder / ".new"
        new.write_text(BAD)
        assert len(BAD) == len(GOOD)
        os.utime(new, ns=(path.stat().st_atime_ns, path.stat().st_mtime_ns))
        os.replace(new, path)
        assert "error[unknown-topic]" in watch.next()


def test_ignores_files_outside_of_the_project(bench):
    with Watching(bench) as watch:
        watch.next()
        bench.write("notes.txt", "nothing")
        bench.write("campaigns/.one.yaml.swp", "nothing")
        bench.write(".herald/x", "nothing")
        save(bench, "campaigns/one.yaml", BAD)
        assert watch.next().startswith("campaigns/one.yaml changed\n")


def test_reports_only_the_given_files(bench):
    bench.write("campaigns/two.yaml", BAD.replace("one", "two"))
    with Watching(bench, "campaigns/one.yaml") as watch:
        assert watch.next() == ""
        save(bench, "campaigns/one.yaml", BAD)
        text = watch.next()
        assert "campaigns/one.yaml:2:" in text and "campaigns/two.yaml:" not in text


def test_clears_the_terminal_before_all_but_the_first_report(bench):
    wipe = "\x1b[H\x1b[2J\x1b[3J"
    with Terminal(bench, "validate", "--watch") as terminal:
        terminal.read_until("Watching 2 files")
        assert wipe not in terminal.text
        save(bench, "campaigns/one.yaml", BAD)
        terminal.read_until(wipe).read_until("1 error").read_until("Ctrl-C ends it.")
        assert "---" not in terminal.text.split(wipe)[1].split("\n")[0]
        terminal.process.send_signal(signal.SIGINT)
        assert terminal.finish().code == 130


@pytest.mark.parametrize("arguments", [["--fix"], ["--online"], ["--format", "json"], ["--format", "sarif"], ["--format", "github"]])
def test_watch_requires_the_text_format(bench, arguments):
    result = bench.herald("validate", "--watch", *arguments).expect(64, "--watch")
    assert result.out == ""
