"""Calls the official Python Admin SDK, and writes its return values and exceptions.

Standard input is a JSON object:
    project     the project ID
    address     the emulator's address; without it, the SDK stays unchanged
    credential  a service account key, "application default", "anonymous", or a bearer token
    options     options of the app, such as httpTimeout
    together    whether all calls are concurrent
    bodies      whether an exception includes the answer's body
    calls       [function of firebase_admin.messaging, its arguments by name]
Messages are objects with the names of the SDK's own classes and arguments. Standard output gets an
object with a result for each call, and the protocols that httpx used.
"""

import asyncio
import datetime
import inspect
import json
import logging
import sys
import warnings
from concurrent.futures import ThreadPoolExecutor

import firebase_admin
import google.auth.credentials
import google.oauth2.credentials
from firebase_admin import credentials, messaging

CLASSES = {
    "message": messaging.Message, "messages": messaging.Message,
    "multicast_message": messaging.MulticastMessage,
    "notification": messaging.Notification, "fcm_options": messaging.FCMOptions,
    "android": messaging.AndroidConfig, "apns": messaging.APNSConfig, "webpush": messaging.WebpushConfig,
    "android.notification": messaging.AndroidNotification,
    "android.fcm_options": messaging.AndroidFCMOptions,
    "android.notification.light_settings": messaging.LightSettings,
    "apns.payload": messaging.APNSPayload, "apns.payload.aps": messaging.Aps,
    "apns.payload.aps.alert": messaging.ApsAlert, "apns.payload.aps.sound": messaging.CriticalSound,
    "apns.fcm_options": messaging.APNSFCMOptions,
    "webpush.notification": messaging.WebpushNotification,
    "webpush.notification.actions": messaging.WebpushNotificationAction,
    "webpush.fcm_options": messaging.WebpushFCMOptions,
}


def built(value, place=""):
    """Returns the SDK's object for a JSON value at a place in a message."""
    if isinstance(value, list):
        return [built(element, place) for element in value]
    if place.endswith("event_timestamp"):
        return datetime.datetime.fromisoformat(value)
    if not isinstance(value, dict) or place not in CLASSES:
        return value
    inside = "" if place in ("message", "messages", "multicast_message") else place + "."
    return CLASSES[place](**{name: built(member, inside + name) for name, member in value.items()})


def credential(given):
    if isinstance(given, dict):
        return credentials.Certificate(given)
    if given == "application default":
        return credentials.ApplicationDefault()
    if given == "anonymous":
        return google.auth.credentials.AnonymousCredentials()
    return google.oauth2.credentials.Credentials(token=given)


def point_at(address, project):
    """Makes all changes to the SDK that an emulator without TLS requires."""
    service = messaging._MessagingService
    service.FCM_URL = address + "/v1/projects/{0}/messages:send"
    service.IID_URL = address
    made = messaging._get_messaging_service(firebase_admin.get_app())
    if hasattr(made, "_fcm_topic_url"):
        made._fcm_topic_url = f"{address}/v1/projects/{project}/registrations"


def described(result):
    if isinstance(result, str):
        return {"name": result}
    if isinstance(result, messaging.BatchResponse):
        assert result.success_count + result.failure_count == len(result.responses)
        return {"success_count": result.success_count, "responses": [
            described(one.message_id if one.success else one.exception) for one in result.responses]}
    if isinstance(result, messaging.TopicManagementResponse):
        return {"success_count": result.success_count, "failure_count": result.failure_count,
                "errors": [[error.index, error.reason] for error in result.errors]}
    response = getattr(result, "http_response", None)
    body = {"body": response.json()} if order.get("bodies") and response is not None else {}
    return {"error": type(result).__name__, "code": getattr(result, "code", None), "message": str(result),
            "status": response.status_code if response is not None else None} | body


async def called(name, arguments):
    function = getattr(messaging, name)
    arguments = {key: built(value, key) for key, value in arguments.items()}
    try:
        if inspect.iscoroutinefunction(function):
            return described(await function(**arguments))
        return described(await asyncio.to_thread(function, **arguments))
    except Exception as error:
        return described(error)


async def main(order):
    asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(64))
    if order.get("together"):
        return await asyncio.gather(*(called(*call) for call in order["calls"]))
    return [await called(*call) for call in order["calls"]]


class Protocols(logging.Handler):
    """httpx logs each request with address, protocol and status."""

    seen = set()

    def emit(self, record):
        self.seen.add(record.args[2])


warnings.simplefilter("ignore", DeprecationWarning)
logging.getLogger("httpx").setLevel(logging.INFO)
logging.getLogger("httpx").addHandler(Protocols())
order = json.load(sys.stdin)
firebase_admin.initialize_app(
    credential(order["credential"]), {"projectId": order["project"]} | order.get("options", {}))
if "address" in order:
    point_at(order["address"], order["project"])
json.dump({"answers": asyncio.run(main(order)), "protocols": sorted(Protocols.seen)}, sys.stdout)
