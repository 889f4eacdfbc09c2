import JSON
import Planning
import Presentation
import Testing

struct PlanJSONViewTests {
    private func render(_ plan: Plan) -> String {
        PlanJSONView().render(plan, projectOnWire: "shop-1")
    }

    @Test func `the JSON plan has one entry of every kind`() throws {
        let text = render(try SamplePlan.make())
        let plan = try #require(JSONValue(parsing: text)?.objectValue)
        for (key, expected) in Self.expected {
            let wanted = try #require(JSONValue(parsing: expected), "\(key)")
            #expect(plan[key] == wanted, "\(key)")
        }
        #expect(Set(plan.members.map(\.key)) == Set(Self.expected.keys).union(["checksum"]))
        #expect(plan.members.count == Self.expected.count + 1)
        #expect(text.hasPrefix("{\n  \"destination\": {\n    \"environment\": \"dev\",\n"))
        #expect(text.hasSuffix("}\n"))
        #expect(!text.contains("SECRET"))
    }

    @Test func `lists ten registrations of each set, and all if it is full`() async throws {
        let plan = try await PlanGolden.first.plan()
        for (isFull, listed) in [(false, 10), (true, 1_000)] {
            let text = PlanJSONView().render(plan, projectOnWire: "shop", isFull: isFull)
            let json = try #require(JSONValue(parsing: text))
            let request = try #require(
                json["requests"]?.arrayValue?.first { $0["path"] == "/iid/v1:batchAdd" }
            )
            #expect(request["body"]?["registration_tokens"] == ["{registrations}"])
            #expect(request["registrations"]?["count"] == .integer(1_000))
            #expect(request["registrations"]?["fingerprints"]?.arrayValue?.count == listed)
            #expect(json["summary"]?["joins"] == .integer(1_200))
        }
    }

    @Test func `reports outcome, reason and fixes of every guard`() async throws {
        let text = render(try await GuardWordsScene.plan())
        let guards = try #require(JSONValue(parsing: text)?["guards"]?.arrayValue)
        #expect(Set(guards.compactMap { $0["guard"]?.stringValue }).count == Guard.allCases.count)
        #expect(
            Set(guards.compactMap { $0["outcome"]?.stringValue }) == [
                "acknowledged", "refused", "bypassed",
            ]
        )
        let first = try #require(
            JSONValue(
                parsing: """
                    {"guard": "max-recipients", "outcome": "refused",
                     "reason": "reaches up to 80,000 devices; max_recipients is 50,000, and \
                    60,000 are acknowledged",
                     "way_out": "add `acknowledge: { reach: 80000, reason: … }` to the campaign",
                     "bypass": "--dangerous-max-recipients", "campaign": "warning"}
                    """
            )
        )
        #expect(guards.first == first)
        let members = try #require(guards.first { $0["guard"] == "max-change" })
        #expect(members["audience"] == "anglers")
        #expect(members["topic"] == "tides")
        #expect(
            members["reason"]
                == .string(
                    "1 registration joins and 40 leave topic tides, which has 100 recorded members; "
                        + "max_change is 30%"
                )
        )
        #expect(guards.contains { $0["acknowledged"] == "everyone must know\u{1B}[2J" })
    }

    private static let expected = [
        "destination": """
        {"environment": "dev", "project_id": "shop", "endpoint": "emulator", "protected": false}
        """,
        "elsewhere": "[]",
        "format_version": #""2.0""#,
        "project": #""shop""#,
        "environment": #""dev""#,
        "state": #""known""#,
        "lineage": #""0123456789abcdef0123456789abcdef""#,
        "now": #""2027-01-15T08:00:00Z""#,
        "digest": #""11d20a8d0ebe4afa19ba78b02695fda33308d5a3@0""#,
        "reviewed": """
        {"campaigns": [], "environment": "", "format": 1, "guards": [], "lineage": "",
         "memberships": [], "project": "", "project_id": ""}
        """,
        "has_changes": "true",
        "summary": """
         {"joins": 2, "leaves": 1, "forgotten": 1, "noted": 1, "sends": 2, "scheduled": 2, "changed": 5,
         "removed": 4, "expired": 10086, "stopped": 3, "paused": 1, "requests": 5}
        """,
        "memberships": """
        [{"audience": "everyone", "topic": "news",
          "joins": {"count": 2, "fingerprints": ["7e4a618160027081", "593d0ee16d26b7f0"]},
          "leaves": {"count": 1, "fingerprints": ["d59f62277fe2991b"]},
          "forgotten": {"count": 1, "fingerprints": ["16748399f1518544"]},
          "noted": {"count": 1, "fingerprints": ["91ed2a171288a501"]}, "staying": 320}]
        """,
        "campaigns": campaigns,
        "notices": notices,
        "guards": "[]",
        "left_out": "0",
        "requests": requests,
    ]

    private static let campaigns = #"""
        [{"campaign": "new", "action": "send", "occurrence": "new/once/1",
          "due": "2027-01-15T08:00:00Z", "requests": 2, "deduplication_key": "ffbaf1636711d2d4",
          "audience": {"list": "everyone", "registrations": 2}, "message": \#(content("ffbaf1636711d2d4"))},
         {"campaign": "resumed", "action": "resume", "occurrence": "resumed/once/1",
          "due": "2027-01-15T08:00:00Z", "requests": 1, "deduplication_key": "6f21702e4bae0759",
          "audience": {"list": null, "registrations": 3}, "message": \#(content("6f21702e4bae0759"))},
         {"campaign": "lapsed", "action": "lapse", "occurrence": "lapsed/once/1",
          "due": "2027-01-15T08:00:00Z", "requests": 2, "deduplication_key": "ae8f321728f955ab",
          "audience": {"list": null, "registrations": 2}, "message": \#(content("ae8f321728f955ab"))},
         {"campaign": "later", "action": "schedule", "occurrence": "later/once/1",
          "due": "2027-01-15T11:00:00Z", "audience": {"topic": "news", "reach": 12000},
          "message": {"notification": {"title": "Later"}, \#(keys("afef4c5e9bb6c774"))}},
         {"campaign": "moved", "action": "reschedule", "occurrence": "moved/once/1",
          "was_due": "2027-01-15T09:00:00Z", "due": "2027-01-17T08:00:00Z",
          "audience": {"condition": "'a' in topics"},
          "message": {"notification": {"title": "Moved"}, \#(keys("257ebbbb5467cef9"))},
          "changes": [{"path": "schedule", "before": "2027-01-15 09:00 UTC",
                       "after": "2027-01-17 08:00 UTC"}]},
         {"campaign": "late", "action": "expire", "occurrence": "late/once/1",
          "due": "2027-01-15T07:40:00Z",
          "audience": {"list": "old\u001b.txt", "registrations": null}},
         {"campaign": "reworded", "action": "redefine", "due": "2027-01-15T09:00:00Z",
          "audience": {"topic": "news", "reach": null},
          "message": {"notification": {"title": "Reworded"}, \#(keys("<16 digits each>"))},
          "changes": [{"path": "message.data.a", "before": null, "after": "\u001b[2J"}]},
         {"campaign": "sent", "action": "already_sent",
          "changes": [{"path": "audience.topic", "before": "news", "after": "sport"}]},
         {"campaign": "halted", "action": "stopped", "occurrence": "halted/once/1", "unknown": 1},
         {"campaign": "gone", "action": "cancel", "occurrence": "gone/once/1",
          "was_due": "2027-01-15T09:00:00Z"},
         {"campaign": "dismissed", "action": "cancel", "occurrence": "dismissed/once/1",
          "was_due": "2027-01-15T09:00:00Z", "requests": 3},
         {"campaign": "old", "action": "retire"},
         {"campaign": "renamed", "action": "rename", "from": "elder"},
         {"campaign": "paused", "action": "paused", "occurrence": "paused/once/1",
          "due": "2027-01-15T08:00:00Z", "requests": 1, "deduplication_key": "4c9614de3a18d642",
          "paused": {"scope": "everything", "since": "2027-01-15T08:00:00Z", "user": "ada",
                     "host": "desk"}, "message": \#(content("4c9614de3a18d642"))},
         {"campaign": "held", "action": "held", "occurrence": "held/once/1",
          "due": "2027-01-15T08:00:00Z", "requests": 1, "deduplication_key": "2e9f3e3b4b35ee13",
          "hold": "mostly-dead", "message": \#(content("2e9f3e3b4b35ee13"))},
         {"campaign": "mended", "action": "held", "occurrence": "mended/once/1",
          "due": "2027-01-15T08:00:00Z", "requests": 1, "deduplication_key": "2592944db185c1df",
          "hold": "refused-payload", "message": \#(content("2592944db185c1df"))},
         {"campaign": "skipped", "action": "skip", "occurrence": "skipped/once/1",
          "due": "2027-01-15T07:40:00Z"},
         {"campaign": "daily", "action": "miss", "missed": 3, "more_missed": false,
          "first_due": "2027-01-15T06:00:00Z", "last_due": "2027-01-15T07:00:00Z",
          "fails": false, "occurrences": ["daily/once/1"]},
         {"campaign": "minutes", "action": "miss", "missed": 10080, "more_missed": true,
          "first_due": "2027-01-15T06:00:00Z", "last_due": "2027-01-15T07:00:00Z",
          "fails": true, "occurrences": ["daily/once/1"]},
         {"campaign": "dropped", "action": "unschedule", "occurrence": "dropped/once/1",
          "was_due": "2027-01-15T09:00:00Z"},
         {"campaign": "lowered", "action": "lowered", "revision": 1, "sent_revision": 3,
          "changes": [{"path": "revision", "before": "3", "after": "1"}]},
         {"campaign": "over", "action": "ended"},
         {"campaign": "same", "action": "unchanged"}]
        """#

    private static let notices = """
        [{"notice": "author-wins", "campaign": "new", "field": "android.ttl"},
         {"notice": "data-priority-on-apple", "campaign": "new"},
         {"notice": "leaves-out", "campaign": "new", "platforms": ["apple", "web"]},
         {"notice": "skipped-local-time", "campaign": "new", "due": "2027-03-28T01:30:00Z",
          "gap_seconds": 3600},
         {"notice": "doubled-local-time", "campaign": "new", "due": "2027-03-28T01:30:00Z"},
         {"notice": "dead-registrations", "campaign": "new", "count": 8, "of": 100},
         {"notice": "opted-out-registrations", "campaign": "new", "count": 2, "of": 100},
         {"notice": "dead-members", "audience": "everyone", "topic": "news", "count": 3},
         {"notice": "refused-members", "audience": "everyone", "topic": "news", "count": 2},
         {"notice": "foreign-members", "audience": "everyone", "topic": "news", "count": 12},
         {"notice": "opted-out-members", "audience": "everyone", "topic": "news", "count": 3},
         {"notice": "left-upstream", "audience": "everyone", "topic": "news", "count": 1},
         {"notice": "replies", "campaign": "new", "count": 4},
         {"notice": "open-leaves", "audience": "everyone", "topic": "news", "count": 1},
         {"notice": "removal-is-done", "audience": "everyone"},
         {"notice": "settles", "occurrence": "new/once/1", "seconds": 60},
         {"notice": "waits-for-fan-out", "occurrence": "new/once/1", "seconds": 200},
         {"notice": "fan-out-of-unknown-reach", "occurrence": "new/once/1"},
         {"notice": "unknown-outcomes", "occurrence": "new/once/1", "count": 1},
         {"notice": "edited-list", "occurrence": "resumed/once/1", "remaining": 1,
          "removed": {"count": 1, "fingerprints": ["d59f62277fe2991b"]}, "added": 2}]
        """

    private static let requests = #"""
        [{"method": "POST", "path": "/iid/v1:batchRemove", "audience": "everyone",
          "body": {"to": "/topics/news", "registration_tokens": ["{registrations}"]},
          "registrations": {"count": 1, "fingerprints": ["d59f62277fe2991b"]}},
         {"method": "POST", "path": "/iid/v1:batchAdd", "audience": "everyone",
          "body": {"to": "/topics/news", "registration_tokens": ["{registrations}"]},
          "registrations": {"count": 2,
                            "fingerprints": ["7e4a618160027081", "593d0ee16d26b7f0"]}},
         {"method": "POST", "path": "/v1/projects/shop-1/messages:send", "campaign": "new",
          "body": {"message": \#(message("ffbaf1636711d2d4"))},
          "registrations": {"count": 2,
                            "fingerprints": ["7e4a618160027081", "593d0ee16d26b7f0"]}},
         {"method": "POST", "path": "/v1/projects/shop-1/messages:send", "campaign": "resumed",
          "body": {"message": \#(message("6f21702e4bae0759"))},
          "registrations": {"count": 1, "fingerprints": ["d59f62277fe2991b"]}}]
        """#

    private static func message(_ key: String) -> String {
        #"{"token": "{registration}", "# + content(key).dropFirst()
    }

    private static func content(_ key: String) -> String {
        #"""
        {"notification": {"title": "Hello\u0007", "body": "you"},
         "android": {"ttl": "90s", "notification": {"tag": "\#(key)"}},
         "apns": {"headers": {"apns-expiration": "moment of sending + 90 s",
                              "apns-collapse-id": "\#(key)"}},
         "webpush": {"headers": {"TTL": "90"}, "notification": {"tag": "\#(key)"}}}
        """#
    }

    private static func keys(_ key: String) -> String {
        #"""
        "android": {"notification": {"tag": "\#(key)"}},
        "apns": {"headers": {"apns-collapse-id": "\#(key)"}},
        "webpush": {"notification": {"tag": "\#(key)"}}
        """#
    }

    @Test func `reports that there are no changes`() async throws {
        let text = render(try await PlanScene().plan())
        let plan = try #require(JSONValue(parsing: text))
        #expect(plan["has_changes"] == false)
        #expect(plan["requests"] == [])
        #expect(plan["lineage"] == "07070707070707070707070707070707")
    }
}
