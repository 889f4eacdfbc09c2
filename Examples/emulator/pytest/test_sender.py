import sender


def announce(*registrations):
    return sender.announce("tidewatch", "owner", registrations, "Spring tide", "After 09:00")


def test_every_phone_gets_the_message_once(emulator):
    ana = emulator.phone("ana", "ana-1:APA91b-example")
    bea = emulator.phone("bea", "bea-1:APA91b-example", platform="apple")
    assert announce(ana, bea) == []
    for name in ("ana", "bea"):
        assert [message["title"] for message in emulator.received(name)] == ["Spring tide"]


def test_reports_registrations_of_removed_apps(emulator):
    ana = emulator.phone("ana", "ana-1:APA91b-example")
    assert announce("old-1:APA91b-example", ana) == ["old-1:APA91b-example"]
    assert len(emulator.received("ana")) == 1


def test_an_offline_phone_gets_the_message_later(emulator):
    ana = emulator.phone("ana", "ana-1:APA91b-example")
    emulator.change("ana", online=False)
    announce(ana)
    assert emulator.received("ana") == []
    emulator.change("ana", online=True)
    assert len(emulator.received("ana")) == 1


def test_retries_after_a_503_without_duplicates(emulator):
    ana = emulator.phone("ana", "ana-1:APA91b-example")
    before = len(emulator.sends())
    emulator.fail({"when": {"times": 1}, "answer": {"error": "UNAVAILABLE", "retry_after_seconds": 1}})
    announce(ana)
    assert [send["status"] for send in emulator.sends()[before:]] == [503, 200]
    assert len(emulator.received("ana")) == 1
