import Applying
import CampaignModel
import JSON
import Presentation
import Testing

struct CalendarJSONViewTests {
    private func json(_ calendar: CalendarDescription) throws -> JSONValue {
        try #require(JSONValue(parsing: CalendarJSONView().render(calendar)))
    }

    @Test func `has the period and the source`() throws {
        let json = try json(SampleCalendar.make())
        #expect(json["timezone"] == "Atlantic/Azores")
        #expect(json["from"] == "2027-01-15")
        #expect(json["to"] == "2027-01-18")
        #expect(json["serial"] == 14)
        #expect(
            json["days"]?.arrayValue?.map { $0["date"] } == [
                "2027-01-15", "2027-01-16", "2027-01-17",
            ]
        )
    }

    @Test func `has each send, also if text shows many in a row`() throws {
        let days = try #require(try json(SampleCalendar.make())["days"]?.arrayValue)
        let sends = days.map { day in
            day["audiences"]?.arrayValue?.map { $0["sends"]?.arrayValue?.count } ?? []
        }
        #expect(sends == [[1, 1], [1], [97]])
    }

    @Test func `describes a sent and a moved send`() throws {
        let days = try #require(try json(SampleCalendar.make())["days"]?.arrayValue)
        let first = days[0]["audiences"]?.arrayValue?.first
        #expect(first?["kind"] == "audience")
        #expect(first?["name"] == "anglers")
        let storm = first?["sends"]?.arrayValue?.first
        #expect(storm?["state"] == "sent")
        #expect(storm?["counts"]?["accepted"] == 1_198)
        #expect(storm?["capped"] == 40)
        #expect(storm?["deferred_from"] == .null)
        #expect(storm?["run"] == 3)
        let unknown = days[0]["audiences"]?.arrayValue?.last
        #expect(unknown?["kind"] == "unknown")
        #expect(unknown?["name"] == .null)
        let night = days[2]["audiences"]?.arrayValue?.first?["sends"]?.arrayValue?.first {
            $0["campaign"] == "night"
        }
        #expect(night?["state"] == "deferred")
        #expect(night?["due"] == "2027-01-17T08:00:00Z")
        #expect(night?["deferred_from"] == "2027-01-16T23:30:00Z")
        #expect(night?["counts"] == .null)
    }
}
