import DeliveryModel
import JSON
import Testing

@testable import EmulatorAPI

/// A plan and requests to it, without a server.
private struct PlanBench {
    var plan: FaultPlan
    var model = DeliveryBackend()

    init(_ script: String) throws {
        let script = try FaultScript(JSONValue(parsing: script))
        plan = FaultPlan(script, after: FaultPlan(), at: DeliveryMoment(milliseconds: 0))
    }

    mutating func send(
        _ message: String = #""token":"pixel""#,
        at milliseconds: Int64 = 0
    ) throws -> FiredFault? {
        try judge("/v1/projects/p/messages:send", #"{"message":{\#(message)}}"#, at: milliseconds)
    }

    mutating func batch(_ count: Int, at milliseconds: Int64 = 0) throws -> FiredFault? {
        let tokens = (0..<count).map { "\"t\($0)\"" }.joined(separator: ",")
        let body = #"{"to":"/topics/tides","registration_tokens":[\#(tokens)]}"#
        return try judge("/iid/v1:batchAdd", body, at: milliseconds)
    }

    mutating func judge(
        _ target: String,
        _ body: String = "",
        method: String = "POST",
        at milliseconds: Int64 = 0
    ) throws -> FiredFault? {
        let request = EmulatorRequest(method: method, target: target, body: Array(body.utf8))
        let subject = try #require(FaultSubject(request))
        return plan.judge(subject, in: model, at: DeliveryMoment(milliseconds: milliseconds))
    }

    /// Returns the numbers of the failed sends, counted from 1.
    mutating func failures(of count: Int) throws -> [Int] {
        try (1...count).filter { _ in try send() != nil }
    }
}

struct FaultPlanTests {
    private func script(_ when: String) -> String {
        #"{"rules":[{"when":{\#(when)},"answer":{"error":"UNAVAILABLE"}}]}"#
    }

    @Test(arguments: [
        (#""nth":3"#, [3]), (#""every":4"#, [4, 8, 12]), (#""from":11"#, [11, 12]),
        (#""until":2"#, [1, 2]), (#""from":5,"until":6"#, [5, 6]),
        (#""times":2"#, [1, 2]), (#""every":2,"times":3"#, [2, 4, 6]),
        (#""share":0"#, []), (#""share":1,"from":12"#, [12]),
    ])
    func `fires at the specified requests`(when: String, expected: [Int]) throws {
        var bench = try PlanBench(script(when))
        #expect(try bench.failures(of: 12) == expected)
    }

    @Test func `a share depends on the seed`() throws {
        func failures(seed: Int) throws -> [Int] {
            var bench = try PlanBench(
                #"{"seed":\#(seed),"rules":[{"when":{"share":0.25},"answer":{"error":"INTERNAL"}}]}"#
            )
            return try bench.failures(of: 4_000)
        }
        let first = try failures(seed: 1)
        // Six standard deviations of a binomial distribution on each side.
        #expect((836...1_164).contains(first.count))
        #expect(try failures(seed: 1) == first)
        #expect(try failures(seed: 2) != first)
    }

    @Test(arguments: [
        (#""from_seconds":2"#, [false, false, true, true, true]),
        (#""until_seconds":2"#, [true, true, false, false, false]),
        (
            #""from_time":"1970-01-01T00:00:01Z","until_time":"1970-01-01T00:00:03.000Z""#,
            [false, true, true, false, false]
        ),
    ])
    func `fires between times of the emulator's clock`(when: String, expected: [Bool]) throws {
        var bench = try PlanBench(script(when))
        for (second, fires) in expected.enumerated() {
            #expect((try bench.send(at: Int64(second) * 1_000) != nil) == fires, "at \(second) s")
        }
    }

    @Test func `every rule counts its matches, and the first rule that fires wins`() throws {
        var bench = try PlanBench(
            #"""
            {"rules":[
              {"id":"two","when":{"every":2},"answer":{"error":"INTERNAL"}},
              {"id":"three","when":{"every":3},"answer":{"error":"UNAVAILABLE"}}]}
            """#
        )
        let fired = try (1...6).map { _ in try bench.send()?.ruleID }
        #expect(fired == [nil, "two", "three", "two", nil, "two"])
        let counts = bench.plan.json["rules"]?.arrayValue?.map { [$0["matched"], $0["fired"]] }
        #expect(counts == [[6, 3], [6, 1]])
    }

    @Test(arguments: [
        (#""service":"SEND""#, [true, true, true, false, false, false, false, false]),
        (#""service":"MEMBERSHIP""#, [false, false, false, true, true, true, false, false]),
        (#""service":"INSTANCE_ID""#, [false, false, false, true, false, false, false, true]),
        (#""service":"TOKEN""#, [false, false, false, false, false, false, true, false]),
        (#""service":"ANY""#, [true, true, true, true, true, true, true, true]),
        (#""method":"DELETE""#, [false, false, false, false, false, true, false, false]),
        (#""topic":"tides""#, [false, true, false, true, true, true, false, false]),
        (#""condition":"'a' in topics""#, [false, false, true, false, false, false, false, false]),
        (#""registration":"t:1""#, [true, false, false, false, true, true, false, true]),
        (#""registration_share":1"#, [true, false, false, true, true, true, false, true]),
        (#""registration_share":0"#, [false, false, false, false, false, false, false, false]),
        (#""platform":"web""#, [true, false, false, false, true, true, false, true]),
        (#""platform":"apple""#, [false, false, false, false, false, false, false, false]),
    ])
    func `matches the subject of a request`(match: String, expected: [Bool]) throws {
        var bench = try PlanBench(
            #"{"rules":[{"match":{\#(match)},"answer":{"error":"INTERNAL"}}]}"#
        )
        let registration = try #require(DeviceRegistration("t:1"))
        try bench.model.seed(
            [DeviceSpecification(name: "laptop", platform: .web, registration: registration)],
            at: DeliveryMoment(milliseconds: 0)
        )
        let subscriptions = "/v1/projects/p/registrations/t%3A1/topicSubscriptions"
        let fired = [
            try bench.send(#""token":"t:1""#), try bench.send(#""topic":"tides""#),
            try bench.send(#""condition":"'a' in topics""#), try bench.batch(2),
            try bench.judge(subscriptions + "?topic_name=tides", "{}"),
            try bench.judge(subscriptions + "/tides", method: "DELETE"),
            try bench.judge("/token"), try bench.judge("/iid/info/t:1", method: "GET"),
        ]
        #expect(fired.map { $0 != nil } == expected)
    }

    @Test func `the same registrations fail every time`() throws {
        var bench = try PlanBench(
            #"""
            {"seed":5,"rules":[{"match":{"registration_share":0.08},"answer":{"error":"UNREGISTERED"}}]}
            """#
        )
        let first = try (0..<5_000).map { try bench.send(#""token":"t\#($0)""#) != nil }
        let second = try (0..<5_000).map { try bench.send(#""fid":"t\#($0)""#) != nil }
        #expect(first == second)
        // 400 expected, with six standard deviations on each side.
        #expect((285...515).contains(first.count { $0 }))
    }

    @Test func `a quota is refilled at the end of each window`() throws {
        var bench = try PlanBench(
            #"{"rules":[{"when":{"over_quota":{"limit":3,"per":"SECOND"}}}]}"#
        )
        let refused = try [500, 600, 700, 800, 1_499, 1_500, 1_501, 1_502, 1_503, 9_999]
            .map { try bench.send(at: $0) != nil }
        #expect(
            refused == [false, false, false, true, true, false, false, false, true, false]
        )
    }

    @Test func `a membership quota counts registrations and ignores refused requests`() throws {
        var bench = try PlanBench(
            #"{"rules":[{"when":{"over_quota":{"limit":3000,"per":"MINUTE"}}}]}"#
        )
        let sizes = [1_000, 1_000, 999, 2, 1, 1]
        #expect(
            try sizes.map { try bench.batch($0) != nil } == [
                false, false, false, true, false, true,
            ]
        )
    }

    @Test func `a batch above the whole quota passes if the bucket is full`() throws {
        var bench = try PlanBench(
            #"{"rules":[{"when":{"over_quota":{"limit":600,"per":"SECOND"}}}]}"#
        )
        let refused = try [0, 1, 1_000].map { try bench.batch(1_000, at: $0) != nil }
        #expect(refused == [false, true, false])
    }

    @Test func `a 429 answer consumes no quota, and any other answer does`() throws {
        for (error, passes) in [("QUOTA_EXCEEDED", true), ("UNAVAILABLE", false)] {
            var bench = try PlanBench(
                #"""
                {"rules":[{"when":{"nth":1},"answer":{"error":"\#(error)"}},
                  {"id":"quota","when":{"over_quota":{"limit":1,"per":"MINUTE"}}}]}
                """#
            )
            _ = try bench.send()
            #expect((try bench.send() == nil) == passes, "\(error)")
        }
    }

    @Test func `each project has a separate quota`() throws {
        var bench = try PlanBench(
            #"{"rules":[{"when":{"over_quota":{"limit":1,"per":"MINUTE"}}}]}"#
        )
        let refused = try ["a", "a", "b", "b"].map {
            try bench.judge("/v1/projects/\($0)/messages:send") != nil
        }
        #expect(refused == [false, true, false, true])
    }

    @Test func `the emulator's own routes never fail`() {
        let request = EmulatorRequest(method: "POST", target: "/emulator/v1/reset")
        #expect(FaultSubject(request) == nil)
    }
}
