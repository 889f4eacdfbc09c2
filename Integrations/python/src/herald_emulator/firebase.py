"""Apps of firebase-admin that send to a project in the emulator."""

import contextlib


@contextlib.contextmanager
def app(project):
    """Creates an app of firebase-admin for a project, and deletes it at the end.

    Sets the addresses of the SDK's messaging service in this process, because the SDK has no setting
    for an emulator. The project is in the path of a send, so projects share these addresses.
    """
    import firebase_admin
    from firebase_admin import messaging
    from google.oauth2.credentials import Credentials

    url = project.emulator.url
    service = messaging._MessagingService
    service.FCM_URL = url + "/v1/projects/{0}/messages:send"
    service.IID_URL = url
    made = firebase_admin.initialize_app(
        Credentials(token=project.bearer), {"projectId": project.id}, name=f"herald-{project.id}")
    # Releases from 7.7 on manage topics with this address.
    messaging._get_messaging_service(made)._fcm_topic_url = f"{url}/v1/projects/{project.id}/registrations"
    try:
        yield made
    finally:
        firebase_admin.delete_app(made)
