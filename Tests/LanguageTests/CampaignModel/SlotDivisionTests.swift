import CampaignModel
import JSON
import Scheduling
import Testing
import Time

struct SlotDivisionTests {
    private func rules(_ zone: String) throws -> TimeZoneRules {
        try TimeZoneDatabase.system(environment: [:]).rules(named: zone)
    }

    private func campaign(at local: String, until: String? = nil) throws -> Campaign {
        let moment = try #require(CivilDateTime(parsing: local))
        let lisbon = try rules("Europe/Lisbon")
        func scheduled(_ local: CivilDateTime) -> ScheduledMoment {
            ScheduledMoment(
                local: local,
                zone: "Europe/Lisbon",
                instant: lisbon.resolve(local).instant
            )
        }
        let last = try until.map { try #require(CivilDateTime(parsing: $0)) }
        return Campaign(
            id: try #require(CampaignID("sale")),
            about: nil,
            owner: nil,
            target: .topic(try #require(Topic("news"))),
            audience: nil,
            content: MessageContent(fields: [:]),
            delivery: Delivery(
                timeToLive: nil,
                expires: last.map(scheduled),
                priority: nil,
                collapse: nil
            ),
            schedule: .at(scheduled(moment)),
            division: .perZone,
            timeliness: LatePolicy(
                late: nil,
                lateAfter: 600,
                until: last.map { lisbon.resolve($0).instant },
                reasonInQuietHours: nil
            )
        )
    }

    private func part(_ campaign: Campaign, _ zone: String) throws -> Campaign {
        campaign.part(in: zone, rules: try rules(zone), standard: try rules("Europe/Lisbon"))
    }

    /// Instants by GNU date.
    ///
    /// On Lord Howe, clocks go from 02:00 to 02:30 on 2027-10-03.
    @Test(arguments: [
        ("2027-07-01 09:00", "Asia/Kolkata", "2027-07-01T03:30:00Z"),
        ("2027-07-01 09:00", "Australia/Lord_Howe", "2027-06-30T22:30:00Z"),
        ("2027-07-01 09:00", "Pacific/Apia", "2027-06-30T20:00:00Z"),
        ("2027-07-01 09:00", "Europe/Lisbon", "2027-07-01T08:00:00Z"),
        ("2027-10-03 02:15", "Australia/Lord_Howe", "2027-10-02T15:45:00Z"),
    ])
    func `a part is due at the local time of its zone`(
        local: String,
        zone: String,
        utc: String
    ) throws {
        let part = try part(try campaign(at: local), zone)
        guard case .at(let moment) = part.schedule else {
            Issue.record("the part has no time")
            return
        }
        #expect(moment.instant.utcText == utc)
        #expect(moment.zone == zone)
        #expect(part.onlyOccurrence?.description == "sale/once[\(zone)]/1")
    }

    @Test func `the end of a part is a local time, too`() throws {
        let whole = try campaign(at: "2027-07-01 09:00", until: "2027-07-01 12:00")
        let part = try part(whole, "Asia/Kolkata")
        #expect(part.timeliness.until?.utcText == "2027-07-01T06:30:00Z")
        #expect(part.delivery.expires?.instant.utcText == "2027-07-01T06:30:00Z")
    }

    /// Instants by GNU date.
    @Test(arguments: [
        ("2027-07-01 09:00[Asia/Kolkata]", "Asia/Kolkata", "2027-07-01T03:30:00Z" as String?),
        ("2027-07-01T09:00:00+02:00", "UTC", "2027-07-01T07:00:00Z"),
        ("2027-07-01T09:00:00Z", "UTC", "2027-07-01T09:00:00Z"),
        ("2027-07-01T09:00[UTC]", "UTC", nil),
        ("tomorrow", "UTC", nil),
    ])
    func `a time in a row is a slot`(text: String, zone: String, utc: String?) throws {
        let campaign = try campaign(at: "2027-07-01 09:00")
        let slot = Slot(text: text)
        let part = campaign.part(at: slot, in: zone, rules: try rules(zone))
        guard case .at(let moment)? = part?.schedule else {
            #expect(utc == nil)
            return
        }
        #expect(moment.instant.utcText == utc)
        #expect(part?.onlyOccurrence?.slot == slot)
        #expect(slot.part == text)
    }

    @Test func `a whole campaign has no single occurrence`() throws {
        #expect(try campaign(at: "2027-07-01 09:00").onlyOccurrence == nil)
    }

    @Test(arguments: [
        ("2026-11-21T07:30", nil as String?, "2026-11-21 07:30" as String?, false),
        ("2026-11-21T07:30[Asia/Kolkata]", "Asia/Kolkata", "2026-11-21 07:30", false),
        ("2026-11-21T07:30:05", nil, "2026-11-21 07:30:05", false),
        ("2026-11-21T07:30:05[Asia/Kolkata]", "Asia/Kolkata", "2026-11-21 07:30:05", false),
        ("once", nil, nil, true),
        ("once[Europe/Lisbon]", "Europe/Lisbon", nil, true),
    ])
    func `a slot consists of a local time and a zone`(
        text: String,
        zone: String?,
        local: String?,
        isOnly: Bool
    ) {
        let slot = Slot(text: text)
        #expect(slot.zone == zone)
        #expect(slot.part == zone)
        #expect(!slot.isOfOwnTime)
        #expect(slot.local == local.flatMap { CivilDateTime(parsing: $0) })
        #expect(slot.isOnly == isOnly)
        if let time = slot.local { #expect(Slot(time, in: slot.zone) == slot) }
    }
}
