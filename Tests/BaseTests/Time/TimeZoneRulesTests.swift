import TestSupport
import Testing
import Time

struct TimeZoneRulesTests {
    @Test(arguments: Dictionary(grouping: ZoneRow.all, by: \.zone).sorted { $0.key < $1.key })
    func `agrees with Python's zoneinfo`(zone: String, rows: [ZoneRow]) throws {
        let rules = try pinnedZones.rules(named: zone)
        for row in rows {
            #expect(row.answer(of: rules) == row.expected, "\(zone) \(row.question) \(row.input)")
        }
    }

    @Test func `the table has rows of every kind`() {
        let kinds = Dictionary(grouping: ZoneRow.all) { $0.expected.prefix { $0.isLetter } }
        #expect(ZoneRow.all.count >= 400)
        for kind in ["standard", "saving", "unique", "skipped", "doubled"] {
            #expect(kinds[kind[...], default: []].count >= 80)
        }
    }

    @Test func `an instant's local time resolves to that instant`() throws {
        let rules = try systemZones.rules(named: "Europe/Berlin")
        let start = try #require(Instant(rfc3339: "2037-01-01T00:00:00Z"))
        for hour in 0..<Int64(366 * 24) {
            let instant = start.advanced(bySeconds: hour * 3600)
            switch rules.resolve(rules.localTime(at: instant)) {
            case .unique(let found): #expect(found == instant)
            case .doubled(let first, let second): #expect([first, second].contains(instant))
            case .skipped: Issue.record("\(instant) has a local time")
            }
        }
    }

    @Test func `lists the instants of clock changes`() throws {
        let rules = try systemZones.rules(named: "America/New_York")
        let start = try #require(Instant(rfc3339: "2499-01-01T00:00:00Z"))
        let changes = rules.clockChanges(in: start..<start.advanced(bySeconds: 365 * 86_400))
        // The second Sunday of March at 2:00 EST and the first of November at 2:00 EDT.
        #expect(changes.map(\.utcText) == ["2499-03-08T07:00:00Z", "2499-11-01T06:00:00Z"])
    }

    @Test func `UTC has one offset and neither gaps nor repeated times`() throws {
        let noon = try #require(CivilDateTime(parsing: "2037-03-29 02:30"))
        #expect(TimeZoneRules.utc.resolve(noon).instant.utcText == "2037-03-29T02:30:00Z")
        #expect(TimeZoneRules.utc.clockChanges(in: .earliest ..< .latest).isEmpty)
        #expect(TimeZoneRules.utc.offset(at: .latest).abbreviation == "UTC")
    }

    @Test(arguments: ["Pacific/Apia", "America/New_York", "Asia/Gaza"])
    func `returns results at the ends of the calendar`(zone: String) throws {
        let rules = try systemZones.rules(named: zone)
        for instant in [Instant.earliest, .latest] {
            let local = rules.localTime(at: instant)
            #expect(abs(rules.resolve(local).instant.seconds(since: instant)) <= 26 * 3600)
        }
    }
}

/// A row of the table that Python generated.
struct ZoneRow: Sendable {
    let zone: String
    let question: String
    let input: String
    let expected: String

    init(_ line: Substring) {
        let fields = line.split(separator: " ", maxSplits: 3).map(String.init)
        (zone, question, input, expected) = (fields[0], fields[1], fields[2], fields[3])
    }

    static let all = zoneTable.split(separator: "\n").map(ZoneRow.init)

    func answer(of rules: TimeZoneRules) -> String? {
        guard question == "at" else {
            return CivilDateTime(parsing: input).map { moment(rules, $0) }
        }
        return Instant(rfc3339: input).map { instant in
            let offset = rules.offset(at: instant)
            let kind = offset.isDaylightSaving ? "saving" : "standard"
            return "\(kind) \(offset.seconds) \(offset.abbreviation)"
        }
    }

    private func moment(_ rules: TimeZoneRules, _ local: CivilDateTime) -> String {
        switch rules.resolve(local) {
        case .unique(let instant): "unique \(instant.utcText)"
        case .skipped(let movedTo, let gap): "skipped \(movedTo.utcText) \(gap)"
        case .doubled(let first, let second): "doubled \(first.utcText) \(second.utcText)"
        }
    }
}
