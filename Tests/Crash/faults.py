"""The emulator's faults during a run. Documentation/Emulator/Faults.md describes the language."""

# The minimum number of single sends, and the minimum duration in seconds without a kill.
SENDS, SECONDS = 300, 2.0


def script(profile, spec, chance, sends):
    """Returns the script of a run. Its delays make the run last at least SECONDS."""
    delay = max(1, round(1_000 * (SECONDS + 0.3) * spec.parallelism / sends))
    first = PROFILES[profile](spec, chance, delay) if profile in PROFILES else []
    slow = [
        {"id": "late", "match": {"service": "SEND"}, "when": {"share": 0.3}, "delivery": late(delay * 3 // 2)},
        {"id": "usual", "match": {"service": "SEND"}, "delivery": late(delay)}]
    return {"seed": spec.number + 1, "rules": first + slow}


def late(milliseconds):
    return {"delay_milliseconds": max(1, milliseconds)}


def send(name, when, accepted=None, **more):
    return {"id": name, "match": {"service": "SEND"}, "when": when, **more} | (
        {} if accepted is None else {"accepted": accepted})


def mixed(spec, chance, delay):
    """A little of every fault, so that no run treats it as an outage."""
    is_shared = spec.transport == "tls-h2"
    rules = [
        # An HTTP/2 connection that ends also ends all requests in flight.
        send("lost", {"nth": chance.randint(20, 400)} if is_shared else {"share": 0.006}, chance.random() < 0.7, delivery={"reset_connection": True}),
        send("cut", {"share": 0.004}, True, delivery={"truncate_after_bytes": chance.choice([0, 20, 120])}),
        # Display messages are retried after each of these, ten seconds later at the earliest.
        send("503 done", {"share": 0.006, "times": 2}, True, answer={"error": "UNAVAILABLE"}, delivery=late(delay)),
        send("503 not done", {"share": 0.006, "times": 2}, False, answer={"error": "UNAVAILABLE"}, delivery=late(delay)),
        send("500", {"share": 0.003}, chance.random() < 0.5, answer={"error": "INTERNAL"}),
        send("quota", {"nth": chance.randint(2, 250)}, answer={"error": "QUOTA_EXCEEDED", "retry_after_seconds": 1}),
        {"id": "gone", "match": {"service": "SEND", "registration_share": 0.02}, "answer": {"error": "UNREGISTERED"},
         "delivery": late(delay)},
        {"id": "joins", "match": {"service": "MEMBERSHIP"}, "when": {"share": 0.25},
         "accepted": chance.random() < 0.5, "answer": {"error": "UNAVAILABLE", "retry_after_seconds": 0},
         "delivery": late(100)},
        {"id": "late joins", "match": {"service": "MEMBERSHIP"}, "delivery": late(150)}]
    if is_shared:
        rules[:0] = [
            send("not done: above", {"nth": chance.randint(20, 280)}, False,
                 delivery={"go_away": {"last_stream": "BEFORE_THIS"}}),
            send("going", {"nth": chance.randint(20, 280)}, delivery={"go_away": {"last_stream": "THIS"}}),
            send("not done: refused", {"share": 0.006}, False, delivery={"reset_stream": "REFUSED_STREAM"})]
    if spec.kill in ("random", "forget") and spec.parallelism > 1:
        rules.insert(0, send("never", {"nth": chance.randint(5, 200)}, chance.random() < 0.5, delivery={"never": True}))
    return rules


def refused(spec, chance, delay):
    """Streams that HTTP/2 marks as not processed. HTTP/1.1 cannot express this."""
    return [send("not done: refused", {"every": 25}, False, delivery={"reset_stream": "REFUSED_STREAM"})]


def withheld(spec, chance, delay):
    """A large part of the requests in flight is not accepted."""
    return [send("withheld", {"share": 0.3}, False, answer={"error": "INVALID_ARGUMENT"}, delivery=late(delay))]


def unavailable(spec, chance, delay):
    return [send("503 done", {"every": 40}, True, answer={"error": "UNAVAILABLE"}, delivery=late(delay))]


def cut(spec, chance, delay):
    """Reused connections that end before the first byte of an answer."""
    return [send("lost", {"every": 40}, True, delivery={"reset_connection": True})]


PROFILES = {"mixed": mixed, "refused": refused, "withheld": withheld, "unavailable": unavailable, "cut": cut, "smooth": lambda *_: [],
            "locales": lambda *_: []}


def without_silence(script):
    """Used for the recovery: a missing answer would only cost the time limit of a request."""
    return script | {"rules": [rule for rule in script["rules"] if not rule.get("delivery", {}).get("never")]}
