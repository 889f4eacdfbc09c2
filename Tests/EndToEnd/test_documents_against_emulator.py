"""Runs the REST and cURL examples of FCM's documents with curl; only the address is changed.

The examples are unchanged copies from two pages: Topic messaging on Apple platforms, and About FCM messages.
Some have misprints. As printed they are rejected; with the misprints fixed they are accepted.
"""

import json
import shlex
import subprocess

import pytest

from herald import DEADLINE, Emulator

AUTHORIZATION = "Authorization: Bearer ya29.ElqKBGN2Ri_Uz...HnS_uNreA"
JSON_CONTENT = "Content-Type: application/json"
GOOGLE = "https://fcm.googleapis.com"
PATH = "/v1/projects/myproject-b5ae1/messages:send"
TOKEN = "bk3RNwTe3H0:CI2k_HHwgIpoDKCIZvvDMExUdFQ3P1..."

BAD_REQUEST = "type.googleapis.com/google.rpc.BadRequest"

# MARK: the examples as printed

REST_TOPIC = """{
  "message":{
    "topic" : "foo-bar",
    "notification" : {
      "body" : "This is a Firebase Cloud Messaging Topic Message!",
      "title" : "FCM Message"
      }
   }
}"""

CURL_TOPIC = """curl -X POST -H "Authorization: Bearer ya29.ElqKBGN2Ri_Uz...HnS_uNreA" -H "Content-Type: application/json" -d '{
  "message": {
    "topic" : "foo-bar",
    "notification": {
      "body": "This is a Firebase Cloud Messaging Topic Message!",
      "title": "FCM Message"
    }
  }
}' https://fcm.googleapis.com/v1/projects/myproject-b5ae1/messages:send HTTP/1.1"""

REST_CONDITION = """{
   "message":{
    "condition": "'dogs' in topics || 'cats' in topics",
    "notification" : {
      "body" : "This is a Firebase Cloud Messaging Topic Message!",
      "title" : "FCM Message",
    }
  }
}"""

CURL_CONDITION = """curl -X POST -H "Authorization: Bearer ya29.ElqKBGN2Ri_Uz...HnS_uNreA" -H "Content-Type: application/json" -d '{
  "notification": {
    "title": "FCM Message",
    "body": "This is a Firebase Cloud Messaging Topic Message!",
  },
  "condition": "'dogs' in topics || 'cats' in topics"
}' https://fcm.googleapis.com/v1/projects/myproject-b5ae1/messages:send HTTP/1.1"""

DISPLAY = """{
  "message":{
    "token":"bk3RNwTe3H0:CI2k_HHwgIpoDKCIZvvDMExUdFQ3P1...",
    "notification":{
      "title":"Portugal vs. Denmark",
      "body":"great match!"
    }
  }
}"""

DATA = """{
  "message":{
    "token":"bk3RNwTe3H0:CI2k_HHwgIpoDKCIZvvDMExUdFQ3P1...",
    "data":{
      "Nick" : "Mario",
      "body" : "great match!",
      "Room" : "PortugalVSDenmark"
    }
  }
}"""

BOTH = """{
  "message":{
    "token":"bk3RNwTe3H0:CI2k_HHwgIpoDKCIZvvDMExUdFQ3P1...",
    "notification":{
      "title":"Portugal vs. Denmark",
      "body":"great match!"
    },
    "data" : {
      "Nick" : "Mario",
      "Room" : "PortugalVSDenmark"
    }
  }
}"""

PLATFORMS = """{
  "message":{
     "token":"bk3RNwTe3H0:CI2k_HHwgIpoDKCIZvvDMExUdFQ3P1...",
     "notification":{
       "title":"Match update",
       "body":"Arsenal goal in added time, score is now 3-0"
     },
     "android":{
       "ttl":"86400s",
       "notification"{
         "click_action":"OPEN_ACTIVITY_1"
       }
     },
     "apns": {
       "headers": {
         "apns-priority": "5",
       },
       "payload": {
         "aps": {
           "category": "NEW_MESSAGE_CATEGORY"
         }
       }
     },
     "webpush":{
       "headers":{
         "TTL":"86400"
       }
     }
   }
 }"""

PRIORITY = """{
  "message":{
    "topic":"subscriber-updates",
    "notification":{
      "body" : "This week's edition is now available.",
      "title" : "NewsMagazine.com",
    },
    "data" : {
      "volume" : "3.21.15",
      "contents" : "http://www.news-magazine.com/world-week/21659772"
    },
    "android":{
      "priority":"normal"
    },
    "apns":{
      "headers":{
        "apns-priority":"5"
      }
    },
    "webpush": {
      "headers": {
        "Urgency": "high"
      }
    }
  }
}"""

LIFE = """{
  "message":{
    "token":"bk3RNwTe3H0:CI2k_HHwgIpoDKCIZvvDMExUdFQ3P1...",
    "data":{
      "Nick" : "Mario",
      "body" : "great match!",
      "Room" : "PortugalVSDenmark"
    },
    "apns":{
      "headers":{
        "apns-expiration":"1604750400"
      }
    },
    "android":{
      "ttl":"4500s"
    },
    "webpush":{
      "headers":{
        "TTL":"4500"
      }
    }
  }
}"""


def fixed(text, *changes):
    """Returns the text with each misprint replaced. Each must occur exactly once."""
    for misprint, correction in changes:
        assert text.count(misprint) == 1, misprint
        text = text.replace(misprint, correction)
    return text


# MARK: running the examples


@pytest.fixture
def emulator(project):
    """An emulator with the phone of the examples and one subscriber for each of their topics."""
    with Emulator(project) as emulator:
        emulator.post("/emulator/v1/devices", [
            {"name": "phone", "platform": "android", "registration": TOKEN},
            *({"name": topic, "platform": "apple", "registration": f"{topic}:APA91b", "topics": [topic]}
              for topic in ("foo-bar", "dogs", "cats", "subscriber-updates"))])
        yield emulator


def run(command, emulator):
    """Runs a printed command with the address changed, and returns the answers' statuses and bodies."""
    arguments = shlex.split(command.replace(GOOGLE, emulator.url))
    assert arguments.pop(0) == "curl"
    done = subprocess.run(
        ["curl", "--silent", "--show-error", "--noproxy", "*", "--write-out", "\\n%{http_code}\\n", *arguments],
        capture_output=True, timeout=DEADLINE, check=True)
    lines = done.stdout.decode().splitlines()
    return [(int(status), json.loads(body)) for body, status in zip(lines[::2], lines[1::2], strict=True)]


def rest(body, emulator):
    """Sends a printed REST request."""
    command = ["curl", "-X", "POST", "-H", JSON_CONTENT, "-H", AUTHORIZATION, "-d", body, GOOGLE + PATH]
    [answer] = run(shlex.join(command), emulator)
    return answer


def received(emulator):
    """Returns the number of messages that each device received."""
    devices = emulator.get("/emulator/v1/inboxes")["devices"]
    return {device["name"]: len(device["received"]) for device in devices if device["received"]}


def refusal(*descriptions):
    """Returns Google's answer to an unreadable request."""
    violations = [
        {"field": field, "description": text} if field else {"description": text} for field, text in descriptions]
    return {"error": {
        "code": 400, "message": "\n".join(text for _, text in descriptions), "status": "INVALID_ARGUMENT",
        "details": [{"@type": BAD_REQUEST, "fieldViolations": violations}]}}


def expect_accepted(answer):
    status, body = answer
    assert status == 200, body
    assert list(body) == ["name"]
    prefix, _, message = body["name"].rpartition("/")
    assert prefix == "projects/myproject-b5ae1/messages"
    return message


# MARK: correct examples, as printed


@pytest.mark.covers("A44", "A46")
def test_printed_rest_request_reaches_topic_subscribers(emulator):
    message = expect_accepted(rest(REST_TOPIC, emulator))
    assert message.isdigit()
    assert received(emulator) == {"foo-bar": 1}
    [inbox] = [d for d in emulator.get("/emulator/v1/inboxes")["devices"] if d["name"] == "foo-bar"]
    assert inbox["received"][0]["message_id"] == message


@pytest.mark.covers("C13", "C16", "C21", "C54")
@pytest.mark.parametrize("body", [DISPLAY, DATA, BOTH, LIFE], ids=["notification", "data", "both", "life"])
def test_printed_requests_reach_the_phone_of_a_registration(emulator, body):
    expect_accepted(rest(body, emulator))
    assert received(emulator) == {"phone": 1}


# MARK: misprints


@pytest.mark.covers("A47", "A48")
def test_printed_curl_command_works_without_its_stray_word(emulator):
    [answer] = run(fixed(CURL_TOPIC, (" HTTP/1.1", "")), emulator)
    expect_accepted(answer)
    assert received(emulator) == {"foo-bar": 1}


@pytest.mark.covers("A47", "A48")
def test_stray_word_of_the_curl_command_is_a_second_url(emulator):
    command = CURL_TOPIC + f" --connect-to HTTP:80:127.0.0.1:{emulator.port}"
    first, second = run(command, emulator)
    expect_accepted(first)
    assert second[0] == 404
    assert received(emulator) == {"foo-bar": 1}


BROKEN = [
    (REST_CONDITION, "Expected an object key or }.",
     [('Message",\n', 'Message"\n')], {"dogs": 1, "cats": 1}),
    (PLATFORMS, "Expected : between key:value pair.",
     [('"notification"{', '"notification":{'), ('"5",', '"5"')], {"phone": 1}),
    (PRIORITY, "Expected an object key or }.",
     [('azine.com",\n', 'azine.com"\n')], {"subscriber-updates": 1}),
]


@pytest.mark.covers("A45", "A48", "C29", "C46")
@pytest.mark.parametrize("body, problem, corrections, reached", BROKEN, ids=["condition", "platforms", "priority"])
def test_reports_where_json_is_broken_and_accepts_the_fixed_json(emulator, body, problem, corrections, reached):
    status, answer = rest(body, emulator)
    assert status == 400
    description = answer["error"]["details"][0]["fieldViolations"][0]["description"]
    assert description.split("\n")[0] == "Invalid JSON payload received. " + problem
    assert answer == refusal((None, description))
    # The mark is below the first byte that makes the JSON invalid.
    _, *context, mark = description.split("\n")
    assert mark.strip() == "^"
    place = body.encode().index("\n".join(context).encode()) + mark.index("^")
    with pytest.raises(json.JSONDecodeError) as error:
        json.loads(body)
    assert body[place] in "}{" and place >= error.value.pos - 1
    assert received(emulator) == {}
    expect_accepted(rest(fixed(body, *corrections), emulator))
    assert received(emulator) == reached


@pytest.mark.covers("A47", "A48", "F1.1-body")
def test_condition_command_fails_until_every_misprint_is_fixed(emulator):
    stray, comma = (" HTTP/1.1", ""), ('Message!",\n', 'Message!"\n')
    wrapped = [("-d '{\n", "-d '{\"message\": {\n"), ("topics\"\n}'", "topics\"\n}}'")]
    quotes = ("\"'dogs' in topics || 'cats' in topics\"",
              "\"'\\''dogs'\\'' in topics || '\\''cats'\\'' in topics\"")

    [(status, answer)] = run(fixed(CURL_CONDITION, stray), emulator)
    assert status == 400
    assert "Expected an object key or }." in answer["error"]["message"]

    # Without `message`, each of its fields is an unknown name.
    [(status, answer)] = run(fixed(CURL_CONDITION, stray, comma), emulator)
    assert status == 400
    unknown = 'Invalid JSON payload received. Unknown name "{}": Cannot find field.'
    assert answer == refusal((None, unknown.format("notification")), (None, unknown.format("condition")))

    # The shell interprets the single quotes.
    [(status, answer)] = run(fixed(CURL_CONDITION, stray, comma, *wrapped), emulator)
    assert status == 400
    assert answer["error"]["message"] == "Invalid condition expression provided."
    assert [detail["@type"].rpartition(".")[2] for detail in answer["error"]["details"]] == ["BadRequest", "FcmError"]
    assert received(emulator) == {}

    [answer] = run(fixed(CURL_CONDITION, stray, comma, *wrapped, quotes), emulator)
    expect_accepted(answer)
    assert received(emulator) == {"dogs": 1, "cats": 1}


@pytest.mark.covers("A48", "F1.1-body")
@pytest.mark.parametrize("body, description", [
    ("{}", "The message is not set."), ("", "The message is not set."), ('{"message": null}', "The message is not set."),
])
def test_names_the_missing_message_field(emulator, body, description):
    assert rest(body, emulator) == (400, refusal(("message", description)))
