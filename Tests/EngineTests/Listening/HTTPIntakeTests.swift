import CampaignModel
import Crypto
import Inbox
import Listening
import Synchronization
import Testing
import Text
import Time

struct HTTPIntakeTests {
    private static let key = Array("a key of this test".utf8)
    private static let now: Int64 = 1_800_000_000

    private struct Bench {
        let intake: HTTPIntake
        let inbox: MemoryInbox
    }

    private func bench(
        limit: Int = 1_000,
        failures: Int = 0,
        isSigned: Bool = true
    ) throws -> Bench {
        let inbox = MemoryInbox(failures: failures)
        let setting = HTTPIntake.Setting(
            sender: try #require(SenderID("1029384756")),
            hasher: InboxHasher(key: FingerprintKey(bytes: Array(0..<32))),
            writer: InboxWriter(of: inbox) { _ in },
            tokens: nil,
            clock: .fixed(Instant(secondsSince1970: Self.now))
        )
        let intake = HTTPIntake(
            in: setting,
            signatures: isSigned ? RequestSignature(key: Self.key) : nil,
            rate: DeviceRate(limit: limit),
            report: { _ in }
        )
        return Bench(intake: intake, inbox: inbox)
    }

    private func text(_ id: String = "m-1", answer: String = "yes") -> String {
        #"{"from":"phone:APA91b","category":"com.example","message_id":"\#(id)","#
            + #""data":{"answer":"\#(answer)"}}"#
    }

    private func signed(_ text: String, at time: Int64 = now) -> HTTPIntake.Request {
        let body = Array(text.utf8)
        let code = HMAC<SHA256>.authenticationCode(
            for: Array("\(time).".utf8) + body,
            using: SymmetricKey(data: Self.key)
        )
        let signature = "v1=" + Hexadecimal.text(of: code)
        return HTTPIntake.Request(body: body, proof: .signature(signature, time: "\(time)"))
    }

    @Test func `stores a signed message before it answers`() async throws {
        let bench = try bench()
        let answer = await bench.intake.answer(to: signed(text()))
        #expect(answer == .stored(id: "m-1", isDuplicate: false))
        #expect(await bench.inbox.ids == ["m-1"])
    }

    @Test func `refuses a copy and accepts a redelivery`() async throws {
        let bench = try bench()
        _ = await bench.intake.answer(to: signed(text()))
        let copy = await bench.intake.answer(to: signed(text()))
        #expect(copy == .refused(.signature(.replayed)))
        let redelivery = await bench.intake.answer(to: signed(text(), at: Self.now - 1))
        #expect(redelivery == .stored(id: "m-1", isDuplicate: true))
        #expect(await bench.inbox.commits == 2)
    }

    @Test func `reports another content of an ID`() async throws {
        let bench = try bench()
        _ = await bench.intake.answer(to: signed(text()))
        let answer = await bench.intake.answer(to: signed(text(answer: "no")))
        #expect(answer == .refused(.conflict(id: "m-1")))
    }

    @Test func `a signature is good again after a failed commit`() async throws {
        let bench = try bench(failures: 1)
        let first = await bench.intake.answer(to: signed(text()))
        #expect(first == .refused(.notStored))
        let second = await bench.intake.answer(to: signed(text()))
        #expect(second == .stored(id: "m-1", isDuplicate: false))
    }

    @Test func `limits the messages of a device`() async throws {
        let bench = try bench(limit: 1)
        _ = await bench.intake.answer(to: signed(text()))
        let answer = await bench.intake.answer(to: signed(text("m-2")))
        guard case .refused(.tooMany) = answer else {
            Issue.record("\(answer)")
            return
        }
        #expect(await bench.inbox.ids == ["m-1"])
    }

    @Test func `refuses messages without a proof that it accepts`() async throws {
        let body = Array(text().utf8)
        let signedOnly = try bench()
        for proof in [HTTPIntake.Proof?.none, .token("x.y.z")] {
            let request = HTTPIntake.Request(body: body, proof: proof)
            #expect(await signedOnly.intake.answer(to: request) == .refused(.noProof))
        }
        let none = try bench(isSigned: false)
        #expect(await none.intake.answer(to: signed(text())) == .refused(.noProof))
    }

    @Test func `refuses 4,097 bytes and accepts 4,096`() async throws {
        let bench = try bench()
        let padding = String(repeating: "x", count: 4_096 - text(answer: "").utf8.count)
        let longest = text(answer: padding)
        #expect(longest.utf8.count == 4_096)
        let accepted = await bench.intake.answer(to: signed(longest))
        #expect(accepted == .stored(id: "m-1", isDuplicate: false))
        let refused = await bench.intake.answer(to: signed(longest + " "))
        #expect(refused == .refused(.message(.tooLarge(bytes: 4_097))))
    }

    @Test func `refuses every message after stop`() async throws {
        let bench = try bench()
        await bench.intake.stop()
        #expect(await bench.intake.answer(to: signed(text())) == .refused(.stopping))
    }

    @Test func `requests at the same time share commits`() async throws {
        let bench = try bench()
        await withTaskGroup(of: Void.self) { group in
            for number in 1...200 {
                group.addTask { _ = await bench.intake.answer(to: signed(text("m-\(number)"))) }
            }
        }
        #expect(await bench.inbox.ids.count == 200)
        #expect(await bench.inbox.commits < 200)
    }
}
