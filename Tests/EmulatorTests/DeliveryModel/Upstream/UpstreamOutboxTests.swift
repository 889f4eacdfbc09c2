import DeliveryModel
import JSON
import TestSupport
import Testing

struct UpstreamOutboxTests {
    @Test(.covers("U05", "U06"))
    func `a connected app's message goes to the app server with its category and device`() throws {
        var bench = UpstreamBench()
        try bench.connect(at: 0)
        let commands = bench.send("m-1", message: ["hello": "world"], timeToLive: 60, at: 1)
        guard case .deliver(1, let content, let registration)? = commands.first else {
            Issue.record("the first command is \(commands)")
            return
        }
        #expect(
            UpstreamDelivery(number: 1, content: content, from: registration, device: "pixel").json
                == [
                    "category": "com.example.yourapp", "data": ["hello": "world"],
                    "time_to_live": 60, "message_id": "m-1", "from": "REGID",
                ]
        )
        #expect(try bench.state("m-1") == .sent(at: second(1)))
    }

    @Test(.covers("U12"))
    func `messages wait for a connection and leave in their order`() throws {
        var bench = UpstreamBench()
        for id in ["m-1", "m-2"] { bench.send(id, at: 1) }
        #expect(bench.outbox.waitingCount == 2)
        #expect(try bench.connect(at: 9).delivered == ["m-1", "m-2"])
        bench.take(.disconnected, at: 10)
        #expect(bench.send("m-3", at: 11).delivered == [])
        #expect(try bench.state("m-3") == .waiting)
    }

    @Test(.covers("U13"))
    func `an Android device refuses the 21st waiting message`() throws {
        var bench = UpstreamBench()
        for number in 1...21 { bench.send("m-\(number)", at: 1) }
        #expect(bench.outbox.waitingCount == 20)
        #expect(try bench.state("m-20") == .waiting)
        #expect(try bench.state("m-21") == .failed(.tooManyMessages, at: second(1)))
        #expect(try bench.connect(at: 2).delivered == (1...20).map { "m-\($0)" })
        for number in 22...42 { bench.send("m-\(number)", at: 3) }
        #expect(bench.failures() == [.tooManyMessages])
    }

    @Test(.covers("U13"))
    func `an Apple device stores any number of waiting messages`() throws {
        var bench = UpstreamBench(.apple)
        for number in 1...500 { bench.send("m-\(number)", at: 1) }
        #expect(bench.outbox.waitingCount == 500)
        #expect(try bench.connect(at: 2).delivered.count == 500)
    }

    @Test(.covers("U10"))
    func `pairs that are not strings are ignored`() throws {
        var bench = UpstreamBench()
        try bench.connect(at: 0)
        let message: JSONObject = [
            "answer": "yes", "count": 3, "list": ["a"], "nothing": .null, "flag": true, "empty": "",
        ]
        bench.send("m-1", message: message, at: 1)
        #expect(
            try bench.message("m-1").content.data == [
                DataEntry(key: "answer", value: "yes"), DataEntry(key: "empty", value: ""),
            ]
        )
    }

    @Test(.covers("U11"))
    func `a message that waits longer than its time to live fails and is reported`() throws {
        var bench = UpstreamBench()
        bench.send("m-1", timeToLive: 60, at: 0)
        bench.send("m-2", timeToLive: 90, at: 0)
        #expect(bench.outbox.due == second(60))
        #expect(bench.take(.timer, at: 60).called == [])
        #expect(try bench.state("m-1") == .failed(.timeToLiveExceeded, at: second(60)))
        // The result is known without FCM, so that it needs no connection.
        #expect(bench.take(.timer, at: 61).called == ["m-1"])
        #expect(
            try bench.message("m-1").callbacks == [
                UpstreamCallback(
                    failure: .timeToLiveExceeded,
                    decidedAt: second(60),
                    at: second(61)
                )
            ]
        )
        #expect(try bench.connect(at: 62).delivered == ["m-2"])
    }

    @Test(.covers("U11"))
    func `a message that no app server acknowledges in time is withdrawn and reported`() throws {
        var bench = UpstreamBench()
        try bench.connect(at: 0)
        bench.send("m-1", timeToLive: 60, at: 0)
        bench.send("m-2", timeToLive: 60, at: 0)
        #expect(bench.take(.acknowledged(number: 2), at: 59).called == ["m-1", "m-2"])
        let commands = bench.take(.timer, at: 61)
        #expect(commands.contains(.withdraw(number: 1)))
        #expect(!commands.contains(.withdraw(number: 2)))
        #expect(commands.called == ["m-1"])
        #expect(try bench.state("m-1") == .failed(.timeToLiveExceeded, at: second(60)))
        #expect(try bench.state("m-2") == .acknowledged(sent: second(0), at: second(59)))
    }

    @Test func `a message without a time to live is tried once`() throws {
        var bench = UpstreamBench()
        bench.send("m-1", timeToLive: 0, at: 1)
        #expect(try bench.state("m-1") == .failed(.timeToLiveExceeded, at: second(1)))
        try bench.connect(at: 2)
        #expect(bench.send("m-2", timeToLive: 0, at: 3).delivered == ["m-2"])
        bench.take(.timer, at: 12)
        #expect(try bench.state("m-2") == .sent(at: second(3)))
        bench.take(.timer, at: 13)
        #expect(try bench.state("m-2") == .failed(.timeToLiveExceeded, at: second(13)))
    }

    @Test(.covers("U16"))
    func `responses within a second arrive together`() throws {
        var bench = UpstreamBench()
        try bench.connect(at: 0)
        for number: Int64 in 1...3 {
            let commands = bench.send("m-\(number)", atMilliseconds: 5_000 + number * 100)
            #expect(commands.called == [])
        }
        #expect(bench.outbox.due == DeliveryMoment(milliseconds: 6_100))
        #expect(bench.take(.timer, at: 7).called == ["m-1", "m-2", "m-3"])
        let callback = try #require(bench.message("m-3").callbacks.first)
        #expect(callback.decidedAt == DeliveryMoment(milliseconds: 5_300))
        #expect(callback.at == DeliveryMoment(milliseconds: 6_100))
    }

    @Test(.covers("U16"))
    func `a response that finds no connection arrives with the next one`() throws {
        var bench = UpstreamBench()
        try bench.connect(at: 0)
        bench.send("m-1", at: 1)
        bench.take(.disconnected, at: 1)
        #expect(bench.take(.timer, at: 30).called == [])
        #expect(try bench.connect(at: 40).called == [])
        #expect(bench.outbox.due == second(40))
        #expect(bench.take(.timer, at: 40).called == ["m-1"])
        #expect(try bench.message("m-1").callbacks.first?.at == second(40))
    }

    @Test(.covers("U09", "U15"))
    func `every callback names its message and the cause of a failure`() throws {
        var bench = UpstreamBench()
        try bench.connect(at: 0)
        bench.send("fine", at: 1)
        bench.send("", at: 1)
        bench.send("far", to: "1029384756@example.com", at: 1)
        bench.send("late", timeToLive: 2_419_201, at: 1)
        bench.send("large", message: ["text": .string(String(repeating: "x", count: 4_000))], at: 1)
        let calls = bench.take(.timer, at: 2)
        #expect(calls.called == ["fine", "", "far", "late", "large"])
        #expect(
            calls.causes == [
                nil, .invalidParameters, .invalidParameters, .invalidParameters, .tooLarge,
            ]
        )
    }

    @Test func `the JSON text of a message has at most 4,096 bytes`() throws {
        var bench = UpstreamBench()
        try bench.connect(at: 0)
        let frame =
            #"{"category":"com.example.yourapp","data":{"text":""},"time_to_live":3600,"#
            + #""message_id":"m-1","from":"REGID"}"#
        let room = 4_096 - frame.utf8.count
        bench.send("m-1", message: ["text": .string(String(repeating: "x", count: room))], at: 1)
        bench.send(
            "m-2",
            message: ["text": .string(String(repeating: "x", count: room + 1))],
            at: 1
        )
        #expect(try bench.state("m-1") == .sent(at: second(1)))
        #expect(try bench.state("m-2") == .failed(.tooLarge, at: second(1)))
    }

    @Test func `an app that is removed loses what it has not sent`() throws {
        var bench = UpstreamBench()
        try bench.connect(at: 0)
        bench.send("m-1", at: 1)
        bench.take(.disconnected, at: 1)
        bench.send("m-2", at: 1)
        bench.take(.removed, at: 1)
        #expect(try bench.state("m-1") == .sent(at: second(1)))
        #expect(try bench.state("m-2") == .failed(.uninstalled, at: second(1)))
        #expect(bench.take(.timer, at: 99).called == [])
    }

    @Test func `the newest finished messages stay visible`() throws {
        var bench = UpstreamBench()
        try bench.connect(at: 0)
        for number in 1...500 {
            bench.send("m-\(number)", at: 2 * Int64(number))
            if number > 1 { bench.take(.acknowledged(number: number), at: 2 * Int64(number)) }
        }
        #expect((101...201).contains(bench.outbox.messages.count))
        #expect(bench.outbox.messages.first?.content.id == "m-1")
        #expect(bench.outbox.messages.last?.content.id == "m-500")
        #expect(bench.outbox.openCount == 1)
    }
}

struct UpstreamRateTests {
    @Test(.covers("C73", "F4-upstream"))
    func `a device sends 1,000 messages in any minute`() throws {
        var bench = UpstreamBench()
        try bench.connect(at: 0)
        for number in 1...1_000 { bench.send("m-\(number)", at: 10) }
        #expect(bench.failures() == [])
        bench.send("excess", at: 69)
        #expect(try bench.state("excess") == .failed(.deviceRateExceeded, at: second(69)))
        bench.send("later", at: 70)
        #expect(try bench.state("later") == .sent(at: second(70)))
    }

    @Test(.covers("C72", "F4-upstream"))
    func `the devices of a project send 1,500,000 messages in any minute`() throws {
        var bench = UpstreamBench()
        try bench.connect(at: 0)
        for _ in 1..<1_500_000 { bench.project.count(at: second(10)) }
        bench.send("last", at: 11)
        #expect(try bench.state("last") == .sent(at: second(11)))
        bench.send("excess", at: 69)
        #expect(try bench.state("excess") == .failed(.projectRateExceeded, at: second(69)))
        bench.send("later", at: 70)
        #expect(try bench.state("later") == .sent(at: second(70)))
    }
}
