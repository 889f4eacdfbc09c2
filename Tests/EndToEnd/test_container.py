"""The Dockerfile, the compose file and the modules for test containers."""

import ast
import json
import re
import subprocess
import xml.etree.ElementTree

import pytest
import tree_sitter
import tree_sitter_java
import tree_sitter_javascript
import yaml

from container_files import stages, words
from herald import DEADLINE, ROOT, Emulator, binary, eventually, run, variables

INTEGRATIONS = ROOT / "Integrations"
LANGUAGES = {".js": tree_sitter_javascript, ".java": tree_sitter_java}
SOURCES = sorted(path for path in INTEGRATIONS.rglob("*") if path.suffix in LANGUAGES)
EXAMPLES = {"node/README.md": ("js", tree_sitter_javascript), "jvm/README.md": ("java", tree_sitter_java)}


@pytest.fixture(scope="module")
def dockerfile():
    return stages((ROOT / "Dockerfile").read_text())


def test_dockerfile_builds_in_one_stage_and_runs_in_another(dockerfile):
    build, final = dockerfile
    assert build.name == "build" and final.name == ""
    for stage in dockerfile:
        name, _, tag = stage.image.partition(":")
        assert name and tag and tag != "latest"
    assert [text.split()[0] for text in final.all("COPY")] == ["--from=build"]


def test_every_installation_is_small_and_cleans_up(dockerfile):
    for stage in dockerfile:
        for step in stage.all("RUN"):
            if "apt-get install" in step:
                assert "--no-install-recommends" in step
                assert "rm -rf" in step and "/var/lib/apt/lists" in step


def test_final_stage_runs_without_root(dockerfile):
    final = dockerfile[-1]
    names = [name for name, _ in final.instructions]
    assert final.all("USER") == ["emulator"]
    assert names.index("RUN") < names.index("USER") < names.index("ENTRYPOINT")


def test_build_stage_uses_a_target_of_the_makefile(dockerfile):
    target = next(step for step in dockerfile[0].all("RUN") if step.startswith("make ")).split()[1]
    assert re.search(rf"^{target}:", (ROOT / "Makefile").read_text(), re.MULTILINE)
    assert "COPY --from=build /source/.build/packages/" in (ROOT / "Dockerfile").read_text()


def test_entry_point_and_health_check_are_commands_that_work(dockerfile, project):
    final = dockerfile[-1]
    entry, check = words(final.all("ENTRYPOINT")[0]), words(final.all("HEALTHCHECK")[0])
    assert entry[:2] == ["herald", "emulator"] and check[:2] == ["herald", "emulator"]
    here = {"/data": str(project.folder)}
    arguments = [here.get(word, word) for word in entry[1:]] + ["--port", "0"]
    with project.start(*arguments) as running:
        eventually(lambda: "FCM emulator on" in running.texts()[0], "the emulator's start")
        checked = subprocess.run(
            [binary(), *[here.get(word, word) for word in check[1:]]], env=variables(), capture_output=True, text=True)
        assert checked.returncode == 0, checked.stderr
        assert "token of the control API" in running.texts()[0]


def test_compose_file_publishes_the_port_on_loopback_only(dockerfile):
    compose = yaml.safe_load((ROOT / "compose.yaml").read_text())
    service, = compose["services"].values()
    port, = service["ports"]
    exposed = dockerfile[-1].all("EXPOSE")[0]
    assert port == f"127.0.0.1:{exposed}:{exposed}"
    assert service["build"] == "."
    volume, = (text.split(":") for text in service["volumes"])
    assert volume[0] in compose["volumes"] and volume[1] == dockerfile[-1].all("VOLUME")[0]


def errors(text, module):
    parser = tree_sitter.Parser(tree_sitter.Language(module.language()))
    tree = parser.parse(text.encode())
    return tree.root_node.has_error


def test_parsers_find_errors():
    assert errors("class {", tree_sitter_java)
    assert errors("const = 1;", tree_sitter_javascript)


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.name)
def test_sources_of_modules_parse(path):
    assert not errors(path.read_text(), LANGUAGES[path.suffix])


@pytest.mark.parametrize("name", EXAMPLES)
def test_examples_of_modules_parse(name):
    kind, module = EXAMPLES[name]
    examples = re.findall(rf"```{kind}\n(.*?)```", (INTEGRATIONS / name).read_text(), re.DOTALL)
    assert examples
    for example in examples:
        assert not errors(example, module), example


def test_modules_use_routes_and_parameters_that_exist(project):
    with Emulator(project) as emulator:
        paths = set()
        for path in SOURCES + sorted((INTEGRATIONS / "python").rglob("*.py")):
            paths |= set(re.findall(r'"(?:GET|PUT)", "(/[a-z/]+)"', path.read_text()))
        assert paths >= {"/wait", "/assert", "/search/messages", "/faults"}
        described = json.loads(run("schema", "emulator").expect(0).out)["paths"]
        assert {f"/emulator/v1{path}" for path in paths} <= set(described)
        assert emulator.get("/emulator/v1/health")["status"] == "ok"


NODE = """\
import { Emulator } from %s;
const project = new Emulator(process.argv[2]).project("tide");
const registration = await project.device("pixel", { topics: ["tides"] });
await project.change("pixel", { online: false });
const failure = await project.device("pixel").catch((error) => error.message);
const { devices } = await project.control("GET", "/devices");
const refusal = await project.change("nosuch", { online: false }).catch((error) => error.status);
console.log(JSON.stringify({ registration, failure, devices, refusal }));
"""


def test_node_module_refuses_the_name_of_a_device_that_exists(project, tmp_path):
    program = tmp_path / "names.mjs"
    program.write_text(NODE % json.dumps(str(INTEGRATIONS / "node/src/client.js")))
    with Emulator(project) as emulator:
        done = subprocess.run(
            ["node", str(program), emulator.url], env=variables(), capture_output=True, text=True, timeout=DEADLINE)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["failure"] == 'The project already has a device "pixel". Choose another name, or use change().'
    device, = found["devices"]
    assert (device["name"], device["online"]) == ("pixel", False)
    assert device["registration"] == found["registration"]
    assert found["refusal"] == 404


@pytest.fixture(scope="module")
def java_classes(tmp_path_factory):
    """The classes of the JVM module that need no other library, compiled with the scenario."""
    sources = [path for path in SOURCES if path.suffix == ".java" and "org.testcontainers" not in path.read_text()]
    folder = tmp_path_factory.mktemp("classes")
    # The runtime has the compiler as a module, but not as a program.
    done = subprocess.run(
        ["java", "--module", "jdk.compiler/com.sun.tools.javac.Main", "--release", "17", "-Xlint:all", "-d", folder,
         *sources, ROOT / "Tests/EndToEnd/EmulatorScenario.java"],
        env=variables(), capture_output=True, text=True, timeout=DEADLINE)
    assert done.returncode == 0, done.stderr
    return folder


def test_java_module_adds_devices_and_finds_messages(project, java_classes):
    with Emulator(project) as emulator:
        done = subprocess.run(
            ["java", "--class-path", java_classes, "EmulatorScenario", emulator.url],
            env=variables(), capture_output=True, text=True, timeout=DEADLINE)
    assert done.returncode == 0, done.stderr
    found = dict(line.split("\t") for line in done.stdout.splitlines())
    exists = 'The project already has a device "pixel". Choose another name, or use changeDevice().'
    assert found["repeated"] == f"IllegalArgumentException: {exists}"
    assert found["twice"] == 'IllegalArgumentException: Two of the devices are named "tablet". Choose another name.'
    device, = json.loads(found["devices"])["devices"]
    assert (device["name"], device["registration"], device["topics"], device["dozing"]) == ("pixel", "r1", ["tides"], True)
    assert found["missing"].startswith("EmulatorException: The emulator answered 404: ")

    sent = json.loads(found["sent"])["name"].rsplit("/", 1)[1]
    awaited, message = json.loads(found["awaited"]), json.loads(found["messages"])
    assert awaited["matches"] == 1 and awaited["messages"] == message["messages"]
    message, = message["messages"]
    assert (message["device"], message["title"], message["message_id"]) == ("pixel", 'High "water"', sent)
    request, = json.loads(found["requests"])["requests"]
    assert (request["target"], request["message_id"]) == ({"topic": "tides"}, sent)
    assert found["unmet"].startswith(
        r'ExpectationError: Expected exactly 2 messages with title="High \"water\"", found 1. The project has 1 message: pixel, ')
    assert found["late"].startswith(
        'ExpectationError: Expected at least 1 message with title="Low water", found 0 after 1s. The project has 1 message: pixel, ')
    assert json.loads(found["dropped"])["devices"] == []


def test_java_module_is_complete():
    root = xml.etree.ElementTree.parse(INTEGRATIONS / "jvm/pom.xml").getroot()
    space = "{http://maven.apache.org/POM/4.0.0}"
    assert root.find(f"{space}artifactId").text == "herald-emulator"
    for path in (INTEGRATIONS / "jvm").rglob("*.java"):
        assert f"class {path.stem} " in path.read_text()


def test_python_module_parses():
    files = sorted((INTEGRATIONS / "python").rglob("*.py"))
    assert len(files) >= 4
    for path in files:
        ast.parse(path.read_text(), str(path))
