#!/usr/bin/env python3
"""Writes a project of many campaign files of 40 lines each: make-project.py FOLDER COUNT

The files differ in names, texts, audiences and moments as those of a team do, and are sound: what
is measured is looking, not printing.
"""

import pathlib
import sys

FISH = "tuna wahoo marlin bonito mackerel bream grouper snapper barracuda sardine".split()
PLACES = "horta velas madalena angra lajes corvo flores ponta povoacao nordeste".split()
TOPICS = 100
MINUTES = (4, 8, 19, 23, 26, 34, 38, 49, 53, 56)

CAMPAIGN = """\
# yaml-language-server: $schema=../schemas/campaign.schema.json
campaign: {fish}-watch-{number}
about: Tell anglers of {place} about {fish} number {number}
owner: growth@tidewatch.example
audience:
  condition: "'{first}' in topics && ('{second}' in topics || '{third}' in topics)"
message:
  notification:
    title: The {fish} are back in {place}
    body: "Boats report a shoal {number} miles off the harbour: take warm clothes."
  data:
    screen: shoals
    station: {place}
    shoal: {number:06}
    species: "{fish}"
    depth: 3.21.15
  android:
    notification:
      channel_id: shoals
      click_action: OPEN_SHOAL
      color: "#1060a0"
      icon: ic_shoal
  apns:
    headers:
      apns-push-type: alert
    payload:
      aps:
        category: SHOAL
        sound: default
        thread-id: shoals-{place}
  webpush:
    notification:
      icon: https://tidewatch.example/icons/{fish}.png
    fcm_options:
      link: https://tidewatch.example/shoals/{number}
delivery:
  ttl: 2h
  priority: high
  collapse: shoal-{place}
schedule:
  at: "2037-{month:02}-{day:02} {hour:02}:{minute:02}"
"""


def campaign(number: int) -> str:
    topics = [f"{PLACES[(number + i) % 10]}-{(number * 7 + i * 131) % TOPICS}" for i in range(3)]
    slot = number * 37
    return CAMPAIGN.format(
        number=number,
        fish=FISH[number % 10],
        place=PLACES[number // 10 % 10],
        first=topics[0],
        second=topics[1],
        third=topics[2],
        minute=MINUTES[slot % 10],
        hour=8 + slot // 10 % 12,
        day=1 + slot // 120 % 28,
        month=2 + slot // 3360 % 11,
    )


def main() -> None:
    folder, count = pathlib.Path(sys.argv[1]), int(sys.argv[2])
    topics = [f"{place}-{number}" for place in PLACES for number in range(TOPICS)]
    (folder / "campaigns").mkdir(parents=True)
    (folder / "herald.yaml").write_text(
        "version: 1\nproject: tidewatch\ntimezone: Atlantic/Azores\ntopics:\n"
        + "".join(f"  {topic}: {{}}\n" for topic in topics)
    )
    for number in range(count):
        part = folder / "campaigns" / f"{number // 1000:03}"
        part.mkdir(exist_ok=True)
        (part / f"{FISH[number % 10]}-{number:06}.yaml").write_text(campaign(number))


main()
