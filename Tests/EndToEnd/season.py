"""A project with the campaigns of a season, for the pages that people look at: some are applied, then changed."""

from herald import Project, token

# A Wednesday morning.
NOW = "2027-01-13T08:00:00Z"

HEAD = """version: 1
project: tidewatch
timezone: Atlantic/Azores
topics:
  tides:   { about: Tide tables, reach: 40000 }
  azores:  { about: Lives in the Azores, reach: 9000 }
  madeira: { about: Lives on Madeira, reach: 7000 }
  regatta: { about: Live scores of the harbour regatta, reach: 2500 }
  auction: { about: Prices of the fish auction, reach: 1800 }
defaults:
  delivery: { ttl: 4h, priority: normal }
"""

# Each `<…>` differs between the applied files and the planned ones.
WARNINGS = """campaign: spring-tide-warning
about: Warn anglers about the spring tide
owner: growth@tidewatch.example
audience: { condition: "'tides' in topics && ('azores' in topics || 'madeira' in topics)" }
message:
  notification: { title: "Spring tide on <Friday|Saturday>", body: "Currents up to 4 knots after 09:00. Stay off the outer moles and take a radio with you." }
  data: { screen: tides, station: horta }
  android: { notification: { click_action: OPEN_TIDES } }
  apns: { payload: { aps: { category: TIDES } } }
delivery: { ttl: 12h, priority: high, collapse: spring-tide }
schedule: { at: "2027-01-<15|16> 07:30" }
---
campaign: tide-table
about: The table of the day
audience: { topic: tides }
message: { notification: { title: Tides of the day, body: High water in Horta at 08:12 and 20:41. } }
delivery: { collapse: table }
schedule: { cron: "17 6 * * *" }
"""

ISLANDS = """campaign: madeira-ferry
about: The winter timetable of the ferry to Porto Santo
audience: { topic: madeira }
message: { notification: { title: New ferry times, body: "From Monday, the ferry leaves Funchal at 08:20." } }
schedule: { at: "2027-01-19 18:04" }
---
campaign: madeira-swell
about: Swell on the north coast
audience: { topic: madeira }
message: { notification: { title: Swell of 4 m, body: The north coast is rough until Thursday. } }
schedule: { cron: "42 7 * * 1,3,5" }
---
campaign: azores-weather
about: The weekend's weather
audience: { topic: azores }
message: { notification: { title: "Weekend: <rain|sun, then rain>", body: Westerly winds and 17 degrees. } }
schedule: { cron: "33 17 * * 5", timezone: Atlantic/Azores }
---
campaign: auction-prices
about: Closing prices of the fish auction
audience: { topic: auction }
message: { notification: { title: "Tuna closes at 8.35", body: "Up 1.43% on the day." } }
delivery: { ttl: 6h }
schedule: { cron: "5 15 * * 1-5" }
"""

NEW = """campaign: regatta-start
about: The harbour regatta begins
audience: { topic: regatta }
message:
  notification: { title: The regatta begins, body: 34 boats are at the start. }
  webpush: { fcm_options: { link: "https://tidewatch.example/regatta" } }
delivery: { ttl: 2h, priority: high }
schedule: { at: "2027-01-22 10:02" }
---
campaign: club-dinner
about: Dinner at the harbour club
audience: { registrations: campaigns/registrations/guests.txt }
message:
  notification: { title: Dinner at the harbour club, body: "Saturday at 20:00. Please answer by Friday evening." }
delivery: { ttl: 36h }
"""

OLD = """campaign: christmas-market
audience: { topic: azores }
message: { notification: { title: The market is open } }
schedule: { at: "2027-01-14 09:03" }
"""


def version(text, is_new):
    """Returns a text with one alternative of each `<old|new>`."""
    parts = text.replace("<", ">").split(">")
    return "".join(part if index % 2 == 0 else part.split("|")[is_new] for index, part in enumerate(parts))


class Season(Project):
    """Campaigns of which some are applied, as a reviewer sees them before the next apply."""

    def __init__(self, folder):
        super().__init__(folder)
        self.write("herald.yaml", HEAD)
        guests = [token(number, "guest") for number in range(48)]
        self.list("guests", guests)
        self.devices(guests)
        self.campaigns(is_new=False)
        self.write("campaigns/old.yaml", OLD)
        self.apply(now=NOW).expect(0)
        self.campaigns(is_new=True)
        (self.folder / "campaigns/old.yaml").unlink()
        self.write("campaigns/regatta.yaml", NEW)

    def campaigns(self, is_new):
        self.write("campaigns/warnings.yaml", version(WARNINGS, is_new))
        self.write("campaigns/islands.yaml", version(ISLANDS, is_new))

    def page(self, command, *more):
        """Writes a page into the project's folder, where its links lead to the files."""
        path = self.folder / f"{command}.html"
        path.write_text(self.herald(command, "--format", "html", *more, now=NOW).expect(0).out, encoding="utf-8")
        return path
