#!/usr/bin/python3
"""Sends to a list with the Admin SDK: admin.py URL LIST MESSAGE TOKEN (send_each | send_each_async)

Each call has 500 messages, the SDK's maximum, and the calls run one after the other. Prints the number of
accepted messages.
"""

import asyncio
import json
import sys
from pathlib import Path

import firebase_admin
import google.oauth2.credentials
from firebase_admin import messaging

CALL = 500


class Token(firebase_admin.credentials.Base):
    def __init__(self, token: str):
        self.credential = google.oauth2.credentials.Credentials(token=token)

    def get_credential(self):
        return self.credential


def message(registration: str, fields: dict) -> messaging.Message:
    android, apns = fields["android"], fields["apns"]
    return messaging.Message(
        token=registration,
        notification=messaging.Notification(**fields["notification"]),
        data=fields["data"],
        android=messaging.AndroidConfig(
            priority="high", ttl=3600,
            notification=messaging.AndroidNotification(**android["notification"])),
        apns=messaging.APNSConfig(
            headers=apns["headers"],
            payload=messaging.APNSPayload(messaging.Aps(**apns["payload"]["aps"]))),
        fcm_options=messaging.FCMOptions(**fields["fcm_options"]))


async def all_async(calls: list[list[messaging.Message]]) -> int:
    return sum([(await messaging.send_each_async(call)).success_count for call in calls])


def main() -> None:
    url, registrations, fields, token, how = sys.argv[1:]
    messaging._MessagingService.FCM_URL = url + "/v1/projects/{0}/messages:send"
    firebase_admin.initialize_app(Token(token), {"projectId": "bench"})
    parsed = json.loads(Path(fields).read_text())
    messages = [message(line, parsed) for line in Path(registrations).read_text().split()]
    calls = [messages[n:n + CALL] for n in range(0, len(messages), CALL)]
    if how == "send_each":
        print(sum(messaging.send_each(call).success_count for call in calls))
    else:
        print(asyncio.run(all_async(calls)))


main()
