import DeliveryModel
import JSON
import Testing

@testable import EmulatorAPI

/// Tests that memory is bounded regardless of the number of requests.
struct MemoryBoundsTests {
    @Test func `stores quota counts of the newest 10,000 projects`() throws {
        let script = try FaultScript([
            "rules": [["when": ["over_quota": ["limit": 1, "per": "SECOND"]]]]
        ])
        var plan = FaultPlan(script, after: FaultPlan(), at: DeliveryMoment(milliseconds: 0))
        func fires(_ project: Int) throws -> Bool {
            let request = EmulatorRequest(
                method: "POST",
                target: "/v1/projects/p\(project)/messages:send"
            )
            let subject = try #require(FaultSubject(request))
            let now = DeliveryMoment(milliseconds: Int64(project / 100))
            return plan.judge(subject, in: DeliveryBackend(), at: now) != nil
        }
        for project in 0..<25_000 { #expect(try !fires(project)) }
        #expect(try fires(24_999))
        #expect(try fires(15_001))
        #expect(try !fires(0))
    }

    @Test func `the counts of an unrecorded request are undone`() throws {
        let script = try FaultScript([
            "rules": [["when": ["every": 2], "answer": ["error": "UNAVAILABLE"]]]
        ])
        var plan = FaultPlan(script, after: FaultPlan(), at: DeliveryMoment(milliseconds: 0))
        let request = EmulatorRequest(method: "POST", target: "/v1/projects/p/messages:send")
        let subject = try #require(FaultSubject(request))
        let now = DeliveryMoment(milliseconds: 0)
        let first = plan.judge(subject, in: DeliveryBackend(), at: now)
        let before = plan.json
        let second = plan.judge(subject, in: DeliveryBackend(), at: now)
        #expect(first == nil)
        #expect(second != nil)
        plan.takeBack()
        #expect(plan.json == before)
        plan.keepCounts()
        plan.takeBack()
        #expect(plan.json == before)
    }

    @Test func `a page of the log has 1,000 lines by default`() throws {
        let directory = try TemporaryDirectory()
        var log = try RequestLog.reopened(at: directory.path + "/requests.ndjson") { _ in }
        let request = EmulatorRequest(method: "GET", target: "/nowhere")
        let answer = RenderedAnswer(status: 404, bytes: Array("{}".utf8))
        for _ in 0..<2_500 {
            log.enter(
                LoggedExchange(request: request, answer: answer),
                of: "",
                at: DeliveryMoment(milliseconds: 0)
            )
        }
        try log.commit()
        let written = log.lines
        let lines = try #require(written)
        var after = 0
        var counts: [Int] = []
        repeat {
            let page = try Page(RequestTarget("/emulator/v1/requests?after=\(after)"))
            let filter = try RequestFilter(RequestTarget("/emulator/v1/requests"), in: "")
            let part = try #require(lines.elements(on: page, matching: filter))
            let json = JSONValue(parsing: [0x5B] + part.elements + [0x5D])
            counts.append(json?.arrayValue?.count ?? 0)
            after = part.last
        } while counts.last != 0 && counts.count < 5
        #expect(counts == [1_000, 1_000, 500, 0])
        #expect(after == 2_500)
    }

    @Test func `long lines end a page before its maximum number of lines`() throws {
        let directory = try TemporaryDirectory()
        var log = try RequestLog.reopened(at: directory.path + "/requests.ndjson") { _ in }
        let body = [UInt8](repeating: 0x61, count: 6 * 1_048_576)
        let request = EmulatorRequest(method: "POST", target: "/nowhere", body: body)
        let answer = RenderedAnswer(status: 404, bytes: Array("{}".utf8))
        for _ in 0..<5 {
            log.enter(
                LoggedExchange(request: request, answer: answer),
                of: "",
                at: DeliveryMoment(milliseconds: 0)
            )
            try log.commit()
        }
        let written = log.lines
        let lines = try #require(written)
        let page = try Page(RequestTarget("/emulator/v1/requests"))
        let filter = try RequestFilter(RequestTarget("/emulator/v1/requests"), in: "")
        let part = try #require(lines.elements(on: page, matching: filter))
        #expect(part.last == 3)
    }
}
