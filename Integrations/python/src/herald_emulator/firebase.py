"""Apps of firebase-admin that send to a project in the emulator."""

import contextlib
import urllib.parse


@contextlib.contextmanager
def app(project, default=False):
    """Creates an app of firebase-admin for a project, and deletes it at the end.

    With `default`, it is the app that `firebase_admin.get_app()` returns; another default app is back at the end.
    Until then, every app of this process sends to the emulator.
    """
    import firebase_admin
    from firebase_admin import messaging
    from google.oauth2.credentials import Credentials

    name = firebase_admin._DEFAULT_APP_NAME if default else f"herald-{project.id}"
    with addresses(project.emulator.url), _without(name):
        made = firebase_admin.initialize_app(
            Credentials(token=project.bearer), {"projectId": project.id}, name=name)
        try:
            _require_addresses(messaging._get_messaging_service(made))
            yield made
        finally:
            _delete(made)


@contextlib.contextmanager
def addresses(url):
    """Sends every request of firebase-admin's messaging to the emulator, whatever app makes it.

    The SDK has no setting for an emulator, so this replaces the addresses in its messaging service. The project is
    in the path of a request, so projects share an address.
    """
    from firebase_admin import messaging

    service = messaging._MessagingService
    replaced = {
        # The services hold these two. As properties, they also apply to services that already exist, and the
        # services' own values are back at the end.
        "_fcm_url": _moved("_fcm_url", url),
        # Releases from 7.7 on manage topics with this address, earlier ones with IID_URL.
        "_fcm_topic_url": _moved("_fcm_topic_url", url),
        "IID_URL": url,
    }
    before = {name: vars(service)[name] for name in replaced if name in vars(service)}
    for name, value in replaced.items():
        setattr(service, name, value)
    try:
        yield
    finally:
        for name in replaced:
            if name in before:
                setattr(service, name, before[name])
            else:
                delattr(service, name)


def _moved(name, url):
    """A property with the path of the service's own value at another host."""

    def moved(service):
        if name not in vars(service):
            raise AttributeError(name)
        return url + urllib.parse.urlsplit(vars(service)[name]).path

    return property(moved, lambda service, value: vars(service).__setitem__(name, value))


def _require_addresses(service):
    """Refuses a release that would send to Google, because it stores its address elsewhere."""
    import firebase_admin

    if "_fcm_url" not in vars(service):
        raise RuntimeError(
            f"herald-emulator cannot redirect firebase-admin {firebase_admin.__version__}. "
            "Install another release, or use the emulator as a proxy (herald emulator --tls-intercept).")


@contextlib.contextmanager
def _without(name):
    """Takes an app with the name out of the SDK, and puts it back at the end."""
    import firebase_admin

    with firebase_admin._apps_lock:
        before = firebase_admin._apps.pop(name, None)
    try:
        yield
    finally:
        if before is not None:
            with firebase_admin._apps_lock:
                firebase_admin._apps[name] = before


def _delete(made):
    """Deletes an app, unless the test has deleted it."""
    import firebase_admin

    if firebase_admin._apps.get(made.name) is not made:
        return
    try:
        firebase_admin.delete_app(made)
    except RuntimeError as error:
        # The SDK closes its asynchronous client in a new event loop, which fails if the client was used in
        # another one that has ended, such as that of asyncio.run. The app is deleted nevertheless.
        if str(error) != "Event loop is closed":
            raise
