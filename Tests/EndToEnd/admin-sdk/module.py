"""Uses the Python module of the emulator with firebase-admin, and writes what it observes.

Standard input is a JSON object with the emulator's address in `url`. PYTHONPATH contains the module. Standard output
gets an object with an entry for each function below.
"""

import asyncio
import json
import sys

import firebase_admin
from firebase_admin import messaging
from google.oauth2.credentials import Credentials

from herald_emulator import Emulator, firebase

SERVICE = messaging._MessagingService


def note():
    return messaging.Message(topic="tides", notification=messaging.Notification(title="High water"))


def addresses():
    """Returns the addresses of the SDK's class, and of a service that exists all the time."""
    service = messaging._get_messaging_service(EARLIER)
    names = [name for name in ("_fcm_url", "_fcm_topic_url", "IID_URL") if hasattr(service, name)]
    return {name: getattr(service, name) for name in names}


def other_apps(project):
    """An app from before and one from during the fixture subscribe and send."""
    before = addresses()
    with firebase.app(project):
        # Releases before 7.7 subscribe without a project in the path, so the token selects it.
        token = Credentials(project.bearer)
        later = firebase_admin.initialize_app(token, {"projectId": project.id}, name="later")
        phone = project.device()
        subscribed = messaging.subscribe_to_topic([phone], "tides", app=later).success_count
        messaging.send(note(), app=later)
        received = len(project.wait(topic="tides"))
        during = addresses()
        kept = messaging._get_messaging_service(later)
    return {"subscribed": subscribed, "received": received, "before": before, "during": during, "after": addresses(),
            "later": kept._fcm_url}


def default_app(project):
    """Code without `app=` sends to the emulator, and the previous default app is back afterwards."""
    mine = firebase_admin.initialize_app(Credentials("x"), {"projectId": "mine"})
    with firebase.app(project, default=True) as made:
        is_default = firebase_admin.get_app() is made
        project.device(topics=["tides"])
        messaging.send(note())
        received = len(project.wait(topic="tides"))
    return {"is_default": is_default, "received": received, "is_back": firebase_admin.get_app() is mine}


def ended_loop(project):
    """The app is deleted although its asynchronous client belongs to an event loop that has ended."""
    project.device(topics=["tides"])
    with firebase.app(project) as made:
        sent = asyncio.run(messaging.send_each_async([note()], app=made)).success_count
    return {"sent": sent, "is_deleted": made.name not in firebase_admin._apps}


EARLIER = firebase_admin.initialize_app(Credentials("x"), {"projectId": "earlier"}, name="earlier")
emulator = Emulator(json.load(sys.stdin)["url"])
results = {}
for case in (other_apps, default_app, ended_loop):
    with emulator.project(case.__name__.replace("_", "-")) as given:
        results[case.__name__] = case(given)
json.dump(results, sys.stdout)
