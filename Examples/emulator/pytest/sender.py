"""A small sender that notifies the registrations of a list about a tide.

It is an example of your own sender. It only needs a configurable FCM address to be testable.
"""

import json
import os
import time
import urllib.error
import urllib.request

FCM = os.environ.get("FCM_URL", "https://fcm.googleapis.com")


def send(project, bearer, message, attempts=3):
    """Returns the name of the accepted message. Raises an HTTPError if FCM does not accept it."""
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
    """Sends to all registrations. Returns those that no longer exist."""
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
