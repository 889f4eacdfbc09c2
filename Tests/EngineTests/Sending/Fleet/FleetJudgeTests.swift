import CampaignMessages
import CampaignModel
import Fleet
import JSON
import RateControl
import State
import Testing
import Time

@testable import Sending

/// What a worker concludes from answers.
@Suite struct FleetJudgeTests {
    private static let occurrence = OccurrenceNumber(3)

    private static func terms(
        keepsIDs: Bool = false,
        repeatsAnswered: Bool = false
    ) throws -> FleetTerms {
        let message = try #require(MessageTemplate(stored: .object(["fields": .object([:])])))
        return FleetTerms(
            list: ListID(text: "list"),
            message: message,
            end: .latest,
            keepsIDs: keepsIDs,
            repeatsAnswered: repeatsAnswered
        )
    }

    private static func order(attempt: Int = 1) -> SendOrder {
        SendOrder(
            0..<100,
            of: WorkUnitID(7),
            fence: ClaimFence(epoch: 1, token: ClaimToken(1)),
            attempt: attempt
        )
    }

    private var judge = FleetJudge(maximumOpen: 200)

    private mutating func judge(
        _ judgements: [Judgement],
        attempt: Int = 1,
        under terms: FleetTerms,
        open: Int = 0,
        at now: Duration = .zero
    ) -> (verdicts: [FleetJudge.Verdict], consequences: [FleetJudge.Consequence]) {
        judge.judge(
            judgements.enumerated().map { FleetJudge.Answer(request: $0, judgement: $1) },
            to: Self.order(attempt: attempt),
            of: Self.occurrence,
            under: terms,
            open: open,
            at: now
        )
    }

    @Test mutating func `an answer about the message decides`() throws {
        let (verdicts, consequences) = judge(
            [.accepted(name: "projects/p/messages/1"), .rejected(.unregistered)],
            under: try Self.terms(keepsIDs: true)
        )
        #expect(verdicts.map(\.result.answer) == [.accepted, .rejected])
        #expect(verdicts.map(\.messageID) == ["projects/p/messages/1", nil])
        #expect(verdicts.map(\.detail) == [nil, "UNREGISTERED"])
        #expect(consequences.isEmpty)
    }

    @Test mutating func `a name is kept only if the campaign records it`() throws {
        let (verdicts, _) = judge([.accepted(name: "n")], under: try Self.terms())
        #expect(verdicts.map(\.messageID) == [nil])
    }

    @Test mutating func `a 429 is a refusal, and the worker rests as long as FCM asks`() throws {
        let (verdicts, consequences) = judge(
            [.throttled(reason: "QUOTA_EXCEEDED", delay: .seconds(7))],
            under: try Self.terms(),
            at: .seconds(10)
        )
        #expect(
            verdicts.map(\.result.answer) == [.refused(after: .seconds(7), isThrottled: true)]
        )
        #expect(consequences == [.limit(until: .seconds(17), open: 200)])
    }

    @Test mutating func `many pauses for quota stop the occurrences of the worker`() throws {
        let terms = try Self.terms()
        var stops: [FleetJudge.Consequence] = []
        for number in 0..<7 {
            let now = Duration.seconds(10 * number)
            let (_, consequences) = judge(
                [.throttled(reason: "QUOTA_EXCEEDED", delay: nil)],
                under: terms,
                at: now
            )
            stops += consequences.filter { if case .stop = $0 { true } else { false } }
        }
        #expect(stops == [.stop(nil, .unanswered(reason: "QUOTA_EXCEEDED"))])
    }

    @Test mutating func `a 503 stays unknown unless the policy repeats it`() throws {
        let failure = Judgement.failed(reason: "503 UNAVAILABLE", delay: nil)
        let final = judge([failure], under: try Self.terms()).verdicts
        #expect(final.map(\.result.answer) == [.unknown(repeatedAfter: nil)])
        #expect(final.map(\.detail) == ["503 UNAVAILABLE"])

        let terms = try Self.terms(repeatsAnswered: true)
        let repeated = judge([failure], under: terms).verdicts
        #expect(repeated.map(\.result.answer) == [.unknown(repeatedAfter: .seconds(10))])
        let accepted = judge([.accepted(name: nil)], attempt: 2, under: terms).verdicts
        #expect(accepted.map(\.detail) == ["repeated after 503 UNAVAILABLE"])
    }

    @Test mutating func `a request is repeated four times`() throws {
        let (verdicts, _) = judge(
            [.failed(reason: "503 UNAVAILABLE", delay: nil), .slowed(delay: nil)],
            attempt: 5,
            under: try Self.terms(repeatsAnswered: true)
        )
        #expect(verdicts.map(\.result.answer) == [.unknown(repeatedAfter: nil), .rejected])
        #expect(verdicts.map(\.detail) == ["503 UNAVAILABLE", "APNs 429"])
    }

    @Test mutating func `an outage lets the worker rest, and then have one request open`() throws {
        let failures = Array(
            repeating: Judgement.failed(reason: "500 INTERNAL", delay: nil),
            count: 20
        )
        let (_, consequences) = judge(failures, under: try Self.terms(), at: .seconds(5))
        #expect(consequences == [.limit(until: .seconds(15), open: 1)])
        let (_, after) = judge([.accepted(name: nil)], under: try Self.terms(), at: .seconds(16))
        #expect(after == [.limit(until: .seconds(15), open: 2)])
    }

    @Test mutating func `twenty rejections of the message in a row stop a send`() throws {
        let refused = Array(repeating: Judgement.rejected(.invalidArgument), count: 25)
        let (verdicts, consequences) = judge(refused, under: try Self.terms())
        #expect(verdicts.allSatisfy { $0.result.answer == .rejected })
        #expect(
            consequences == [
                .stop(Self.occurrence, .refusedPayload(count: 20)),
                .limit(until: .seconds(5), open: 200),
            ]
        )
    }

    @Test mutating func `an acceptance ends a row of rejections`() throws {
        let refused = Array(repeating: Judgement.rejected(.invalidArgument), count: 19)
        let (_, consequences) = judge(
            refused + [.accepted(name: nil)] + refused,
            under: try Self.terms()
        )
        #expect(consequences.isEmpty)
    }

    @Test mutating func `a token that is not accepted is renewed once`() throws {
        let terms = try Self.terms()
        let denied = Judgement.unauthorized(reason: "401 UNAUTHENTICATED: expired")
        let (verdicts, consequences) = judge([denied, denied], under: terms)
        #expect(verdicts.map(\.result.answer) == [.unwritten, .unwritten])
        #expect(consequences == [.renew, .limit(until: .seconds(60), open: 200)])
        #expect(
            judge.renewed(failure: nil, at: .seconds(2)) == [.limit(until: .seconds(2), open: 200)]
        )
        let (_, again) = judge([denied], under: terms, at: .seconds(3))
        #expect(
            again == [
                .stop(nil, .refused(reason: "401 UNAUTHENTICATED: expired")),
                .limit(until: .seconds(8), open: 200),
            ]
        )
    }

    @Test mutating func `a token that cannot be renewed stops what the worker sends`() throws {
        _ = judge([.unauthorized(reason: "401")], under: try Self.terms())
        let consequences = judge.renewed(failure: "invalid_grant", at: .seconds(1))
        #expect(consequences.contains(.stop(nil, .refused(reason: "invalid_grant"))))
    }

    @Test mutating func `a refusal of the caller stops the occurrence`() throws {
        let (verdicts, consequences) = judge(
            [.refusedUs(reason: "403 PERMISSION_DENIED: no")],
            under: try Self.terms()
        )
        #expect(verdicts.map(\.result.answer) == [.unwritten])
        #expect(
            consequences.first
                == .stop(Self.occurrence, .refused(reason: "403 PERMISSION_DENIED: no"))
        )
    }

    @Test mutating func `too many requests without an answer stop the worker`() throws {
        let silent = Array(repeating: Judgement.unknown(reason: "no answer"), count: 21)
        let (verdicts, consequences) = judge(silent, under: try Self.terms(), open: 0)
        #expect(verdicts.allSatisfy { $0.result.answer == .unknown(repeatedAfter: nil) })
        #expect(consequences.contains(.stop(nil, .unanswered(reason: "no answer"))))
    }

    @Test(
        arguments: [
            FleetProblem.refused(reason: "401: x"), .unanswered(reason: "500"),
            .refusedPayload(count: 20),
        ]
    )
    func `a problem is read as it was stored`(_ problem: FleetProblem) {
        #expect(FleetProblem(text: problem.text) == problem)
    }

    @Test func `terms are read as they were stored`() throws {
        let terms = try Self.terms(keepsIDs: true, repeatsAnswered: true)
        #expect(FleetTerms(stored: terms.stored) == terms)
        #expect(FleetTerms(stored: .object([:])) == nil)
    }
}
