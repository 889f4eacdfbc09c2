"""A small sender: tells everybody on a list about a tide.

It stands for your own: all it has for its tests is that FCM's address can be set from outside.
"""

import json
import os
import time
import urllib.error
import urllib.request

FCM = os.environ.get("FCM_URL", "https://fcm.googleapis.com")


def send(project, bearer, message, attempts=3):
    """The name under which FCM took the message on; an HTTPError where it did not."""
    request = urllib.request.Request(
        f"{FCM}/v1/projects/{project}/messages:send", json.dumps({"message": message}).encode(),
        {"Authorization": f"Bearer {bearer}", "Content-Type": "application/json"})
    while True:
        attempts -= 1
        try:
            with urllib.request.urlopen(request, timeout=15) as answer:
                return json.load(answer)["name"]
        except urllib.error.HTTPError as error:
            if error.code not in (429, 503) or not attempts:
                raise
            time.sleep(int(error.headers.get("Retry-After", 60)))


def announce(project, bearer, registrations, title, body):
    """Sends to everybody; returns the registrations that are to be forgotten."""
    gone = []
    for registration in registrations:
        message = {"token": registration, "notification": {"title": title, "body": body},
                   "android": {"collapse_key": "tide", "ttl": "43200s"}}
        try:
            send(project, bearer, message)
        except urllib.error.HTTPError as error:
            if error.code != 404:
                raise
            gone.append(registration)
    return gone
