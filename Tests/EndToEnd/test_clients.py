"""The app's side: `herald topics` prints code that compilers accept, and so does each snippet of Clients.md."""

import json
import re
import subprocess

import pytest

from herald import DEADLINE, ROOT, Project, run

PAGE = (ROOT / "Documentation/Clients.md").read_text()
# What the code uses of Apple's and Firebase's frameworks.
FRAMEWORKS = """
@interface NSObject + (instancetype)new; @end
@interface NSString : NSObject @end
@interface NSConstantString : NSString @end
@interface NSError : NSObject @end
@interface NSThread : NSObject @property (class, readonly) signed char isMainThread; @end
#define nil ((void *)0)
#define NSCAssert(condition, text) ((void)(condition), (void)(text))
void NSLog(NSString *format, ...);
@interface FIRMessaging : NSObject
+ (instancetype)messaging;
- (void)subscribeToTopic:(NSString *)topic completion:(void (^)(NSError *_Nullable error))completion;
- (void)unsubscribeFromTopic:(NSString *)topic completion:(void (^)(NSError *_Nullable error))completion;
@end
"""


def project(folder):
    made = Project(folder / "project")
    made.write("herald.yaml", """version: 1
project: weather-app
topics:
  weather: { about: "Forecasts */ of\\u2028every day \\\\", reach: 900 }
  breaking-news.de: {}
  "2037": {}
  self: {}
  a2: {}
  a-2: {}
  "~%": { test: true }
""")
    return made


def parsed_as_swift(text, folder):
    (folder / "Topics.swift").write_text(text)
    done = subprocess.run(
        ["swiftc", "-parse", folder / "Topics.swift"], capture_output=True, text=True, timeout=DEADLINE)
    assert done.returncode == 0, done.stderr


def parsed_as_objective_c(text, folder):
    (folder / "Topics.m").write_text(f"{FRAMEWORKS}\n{text.replace('@import FirebaseMessaging;', '')}")
    done = subprocess.run(
        ["clang", "-fsyntax-only", "-fblocks", "-Wno-nullability-completeness", "-Wno-objc-root-class", "-x", "objective-c",
         folder / "Topics.m"], capture_output=True, text=True, timeout=DEADLINE)
    assert done.returncode == 0, done.stderr


@pytest.mark.covers("A17", "A20")
def test_swift_code_subscribes_on_the_main_thread_and_parses(tmp_path):
    code = project(tmp_path).herald("topics", "--format", "swift").expect(0).out
    parsed_as_swift(code, tmp_path)
    assert 'case `breakingNewsDe` = "breaking-news.de"' in code
    assert code.index("@MainActor\nextension Topic") < code.index("Messaging.messaging().subscribe(toTopic: rawValue)")
    names = re.findall(r"case `(\w+)` =", code)
    assert len(set(names)) == len(names) == 7 and "self" not in names


@pytest.mark.covers("A21")
def test_objective_c_code_parses(tmp_path):
    code = project(tmp_path).herald("topics", "--format", "objc").expect(0).out
    parsed_as_objective_c(code, tmp_path)
    assert "[[FIRMessaging messaging] subscribeToTopic:topic completion:completion];" in code


def test_kotlin_and_javascript_code_have_a_constant_for_each_topic(tmp_path):
    made = project(tmp_path)
    kotlin = made.herald("topics", "--format", "kotlin").expect(0).out
    assert len(set(re.findall(r"const val ([A-Z][A-Z0-9_]*) = ", kotlin))) == 7
    script = made.herald("topics", "--format", "js").expect(0).out
    values = re.findall(r'^    [a-z]\w*: ("[^"]+"),$', script, re.MULTILINE)
    assert sorted(map(json.loads, values)) == ["2037", "a-2", "a2", "breaking-news.de", "self", "weather", "~%"]


def test_no_text_of_the_registry_leaves_its_comment(tmp_path):
    made = project(tmp_path)
    for language in ("swift", "objc", "kotlin", "js"):
        code = made.herald("topics", "--format", language).expect(0).out
        line, = [line for line in code.splitlines() if "Forecasts" in line]
        assert line.strip().startswith("//") and "every day" in line and "\\" not in line


def test_topics_are_listed_for_people_and_programs(tmp_path):
    made = project(tmp_path)
    assert "weather" in made.herald("topics").expect(0).out
    listed = json.loads(made.herald("topics", "--format", "json").expect(0).out)
    assert {"topic": "~%", "about": None, "reach": None, "test": True} in listed
    made.write("herald.yaml", "version: 1\nproject: p\ntopics: { 'a b': {} }\n")
    run("topics", "-C", made.folder).expect(65)


@pytest.mark.covers("A17", "A20", "A21", "A37")
def test_the_snippets_of_the_page_parse(tmp_path):
    swift = re.findall(r"```swift\n(.*?)```", PAGE, re.DOTALL)
    assert len(swift) == 2
    for snippet in swift:
        parsed_as_swift(snippet, tmp_path)
    assert "DispatchQueue.main.async" in swift[0] and 'Messaging.messaging().subscribe(toTopic: "weather") { error in' in swift[0]
    assert "Messaging.messaging().appDidReceiveMessage(userInfo)" in swift[1]
    snippet, = re.findall(r"```objc\n(.*?)```", PAGE, re.DOTALL)
    parsed_as_objective_c(f"void use(void) {{\n{snippet}\n}}", tmp_path)
