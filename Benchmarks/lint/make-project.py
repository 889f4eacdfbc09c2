#!/usr/bin/python3
"""Writes a project of many campaign files of 40 lines each: make-project.py FOLDER COUNT

The files differ in names, texts, audiences and times, like those of a team. They have no findings, not even
across campaigns, because the benchmark measures checking, not printing. Therefore each campaign has its own minute
that is not close to a quarter hour, and a topic gets no new message while an earlier one may still wait.
"""

import datetime
import pathlib
import sys

FISH = "tuna wahoo marlin bonito mackerel bream grouper snapper barracuda sardine".split()
PLACES = {
    "horta": "Horta",
    "velas": "Velas, São Jorge",
    "madalena": "Madalena",
    "angra": "Angra do Heroísmo",
    "lajes": "Lajes das Flores",
    "corvo": "Vila do Corvo",
    "praia": "Praia da Vitória",
    "ponta": "Ponta Delgada",
    "povoacao": "Povoação",
    "nordeste": "Nordeste",
}
NEWS = (
    "Boats report a shoal {miles} miles off the harbour: take warm clothes.",
    "The first {fish} of the week were landed this morning; the water has 19 °C.",
    "Wind from the north-west at {miles} knots: small boats had better stay in the lee.",
    "“Never seen so many,” says the skipper of the Espalamaca, {miles} miles out.",
    "Seen from the lighthouse at dawn, heading east. Mind the nets off the mole!",
    "The cooperative pays {miles} cents more a kilo until Friday: bring them in early.",
    "Whales follow the {fish}: keep 500 m away, and switch off the sounder.",
)
# These numbers have no common divisor, so the first 100,000 audiences all differ. A topic repeats after seven hours
# of minutes, longer than any `ttl` here.
SPOTS, KINDS, CLUBS = 331, 337, 332
TTLS = ("30m", "45m", "1h", "90m", "2h")
# From three minutes after each quarter hour to three minutes before the next, 8:00 to 20:00.
MINUTES = [quarter + minute for quarter in (0, 15, 30, 45) for minute in range(3, 13)]
SLOTS_A_DAY = 12 * len(MINUTES)
FIRST_DAY = datetime.date(2037, 2, 2)

CAMPAIGN = """\
# yaml-language-server: $schema=../../schemas/campaign.schema.json
campaign: {fish}-watch-{number}
about: Tell anglers around {name} about {fish}
owner: growth@tidewatch.example
audience:
  condition: "'{spot}' in topics && ('{kind}' in topics || '{club}' in topics)"
message:
  notification:
    title: The {fish} are back off {name}
    body: "{news}"
  data:
    screen: shoals
    station: {place}
    shoal: {number:06}
    species: "{fish}"
  android:
    notification:
      channel_id: shoals
      click_action: OPEN_SHOAL
      color: "#1060a0"
  apns:
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
  fcm_options:
    analytics_label: {fish}-{day:%m%d}
delivery:
  ttl: {ttl}
  # Only the newest shoal of a spot counts.
  collapse: {spot}
  priority: high
schedule:
  at: "{day} {hour:02}:{minute:02}"
"""


def campaign(number: int) -> str:
    spot, kind, club = number % SPOTS, number % KINDS, number % CLUBS
    place, fish = list(PLACES)[spot % len(PLACES)], FISH[kind % len(FISH)]
    days, slot = divmod(number, SLOTS_A_DAY)
    day = FIRST_DAY + datetime.timedelta(days)
    return CAMPAIGN.format(
        number=number,
        fish=fish,
        place=place,
        name=PLACES[place],
        spot=f"{place}-{spot}",
        kind=f"{fish}-{kind}",
        club=f"club-{club}",
        news=NEWS[number % len(NEWS)].format(miles=2 + number % 23, fish=fish),
        ttl=TTLS[number % len(TTLS)],
        day=day,
        hour=8 + slot // len(MINUTES),
        minute=MINUTES[slot % len(MINUTES)],
    )


def registry() -> str:
    """Returns a thousand topics of 1,500 to 80,000 subscribers, so each fan-out ends within its minute."""
    topics = [f"{list(PLACES)[n % 10]}-{n}" for n in range(SPOTS)]
    topics += [f"{FISH[n % 10]}-{n}" for n in range(KINDS)] + [f"club-{n}" for n in range(CLUBS)]
    lines = (
        f"  {topic}: {{ about: Chose {topic} in the app, reach: {1500 + n * 7919 % 78_500} }}\n"
        for n, topic in enumerate(topics)
    )
    return "version: 1\nproject: tidewatch\ntimezone: Atlantic/Azores\ntopics:\n" + "".join(lines)


def main() -> None:
    folder, count = pathlib.Path(sys.argv[1]), int(sys.argv[2])
    (folder / "campaigns").mkdir(parents=True)
    (folder / "herald.yaml").write_text(registry())
    for number in range(count):
        part = folder / "campaigns" / f"{number // 1000:03}"
        part.mkdir(exist_ok=True)
        (part / f"{FISH[number % KINDS % 10]}-{number:06}.yaml").write_text(campaign(number))


main()
