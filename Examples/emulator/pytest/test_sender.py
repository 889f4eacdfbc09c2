import sender


def announce(*registrations):
    return sender.announce("tidewatch", "owner", registrations, "Spring tide", "After 09:00")


def test_everybody_gets_it_once(emulator):
    ana = emulator.phone("ana", "ana-1:APA91b-example")
    bea = emulator.phone("bea", "bea-1:APA91b-example", platform="apple")
    assert announce(ana, bea) == []
    for name in ("ana", "bea"):
        assert [message["title"] for message in emulator.received(name)] == ["Spring tide"]


def test_a_registration_whose_app_is_gone_is_to_be_forgotten(emulator):
    ana = emulator.phone("ana", "ana-1:APA91b-example")
    assert announce("old-1:APA91b-example", ana) == ["old-1:APA91b-example"]
    assert len(emulator.received("ana")) == 1


def test_a_phone_that_is_offline_gets_it_later(emulator):
    ana = emulator.phone("ana", "ana-1:APA91b-example")
    emulator.change("ana", online=False)
    announce(ana)
    assert emulator.received("ana") == []
    emulator.change("ana", online=True)
    assert len(emulator.received("ana")) == 1


def test_it_comes_again_after_a_503_and_is_received_once(emulator):
    ana = emulator.phone("ana", "ana-1:APA91b-example")
    before = len(emulator.sends())
    emulator.fail({"when": {"times": 1}, "answer": {"error": "UNAVAILABLE", "retry_after_seconds": 1}})
    announce(ana)
    assert [send["status"] for send in emulator.sends()[before:]] == [503, 200]
    assert len(emulator.received("ana")) == 1
