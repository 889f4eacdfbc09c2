import CampaignModel
import Planning
import Sending
import State
import TestSupport
import Testing

/// Tests one request: answers, policy and attempts determine its outcome and end.
struct JudgingTableTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        /// One answer per attempt; the last one repeats.
        let answers: [Judgement]
        var policy = SendPolicy.shown
        var expiry: Duration?
        let outcome: Outcome
        var detail: String?
        var sent = 1
        let end: DispatchMachine.End

        var testDescription: String { name }
    }

    @Test(arguments: known + registration + us + failed + silent + slowed)
    func `determines the outcome of a request`(row: Row) throws {
        var play = DispatchPlay(policy: row.policy, expiry: row.expiry)
        let end = try play.run { _, attempt in row.answers[min(attempt, row.answers.count) - 1] }
        let expected = RequestOutcome(index: 0, outcome: row.outcome, detail: row.detail)
        #expect(play.disk[0] == expected)
        #expect(play.sent.count == row.sent)
        #expect(end == row.end)
    }

    private static let taken = Judgement.accepted(name: "projects/p/messages/1")
    private static let failure = Judgement.failed(reason: "503 UNAVAILABLE", delay: nil)
    private static let silence = Judgement.unknown(reason: "timed out")
    private static let unwritten = Judgement.unwritten(reason: "refused")
    private static let throttle = Judgement.throttled(reason: "quota", delay: nil)

    private static let known = [
        Row(name: "taken", answers: [taken], outcome: .accepted, end: .complete),
        Row(
            name: "not written, then taken",
            answers: [unwritten, taken],
            outcome: .accepted,
            sent: 2,
            end: .complete
        ),
        Row(
            name: "never written",
            answers: [unwritten],
            outcome: .returned,
            sent: 6,
            end: .unanswered(reason: "refused")
        ),
        Row(
            name: "throttled, then taken",
            answers: [throttle, taken],
            outcome: .accepted,
            sent: 2,
            end: .complete
        ),
        Row(
            name: "throttled for longer than the message lives",
            answers: [throttle, taken],
            expiry: .seconds(60),
            outcome: .returned,
            end: .expired
        ),
        Row(
            name: "throttled for as long as the message lives, nearly",
            answers: [throttle, taken],
            expiry: .seconds(66),
            outcome: .accepted,
            sent: 2,
            end: .complete
        ),
    ]

    private static let registration = Rejection.allCases.map { rejection in
        Row(
            name: rejection.reason,
            answers: [.rejected(rejection)],
            outcome: .rejected,
            detail: rejection.reason,
            end: .complete
        )
    }

    private static let us = [
        Row(
            name: "refused us",
            answers: [.refusedUs(reason: "403 no")],
            outcome: .returned,
            detail: "403 no",
            end: .refused(reason: "403 no")
        ),
        Row(
            name: "a bearer that is taken once renewed",
            answers: [.unauthorized(reason: "401 no"), taken],
            outcome: .accepted,
            sent: 2,
            end: .complete
        ),
        Row(
            name: "a bearer that is never accepted",
            answers: [.unauthorized(reason: "401 no")],
            outcome: .returned,
            detail: "401 no",
            sent: 2,
            end: .refused(reason: "401 no")
        ),
        Row(
            name: "refused us at a repeat",
            answers: [failure, .refusedUs(reason: "403 no")],
            outcome: .unknown,
            detail: "403 no, repeated after 503 UNAVAILABLE",
            sent: 2,
            end: .refused(reason: "403 no")
        ),
    ]

    private static let failed = [
        Row(
            name: "failed, then taken",
            answers: [failure, taken],
            outcome: .accepted,
            detail: "repeated after 503 UNAVAILABLE",
            sent: 2,
            end: .complete
        ),
        Row(
            name: "failed, then rejected",
            answers: [failure, .rejected(.unregistered)],
            outcome: .rejected,
            detail: "UNREGISTERED, repeated after 503 UNAVAILABLE",
            sent: 2,
            end: .complete
        ),
        Row(
            name: "failed always",
            answers: [failure],
            outcome: .unknown,
            detail: "503 UNAVAILABLE, repeated after 503 UNAVAILABLE",
            sent: 5,
            end: .complete
        ),
        Row(
            name: "failed, then silence: not repeated further",
            answers: [failure, silence],
            outcome: .unknown,
            detail: "timed out, repeated after 503 UNAVAILABLE",
            sent: 2,
            end: .complete
        ),
        Row(
            name: "failed, and not written at the repeat: still unknown, and repeated",
            answers: [failure, unwritten, throttle, taken],
            outcome: .accepted,
            detail: "repeated after 503 UNAVAILABLE",
            sent: 4,
            end: .complete
        ),
        Row(
            name: "failed, and the bearer ran out at the repeat",
            answers: [failure, .unauthorized(reason: "401"), taken],
            outcome: .accepted,
            detail: "repeated after 503 UNAVAILABLE",
            sent: 3,
            end: .complete
        ),
        Row(
            name: "failed, of a message that lives no longer",
            answers: [failure],
            expiry: .seconds(10),
            outcome: .unknown,
            detail: "503 UNAVAILABLE",
            end: .complete
        ),
        Row(
            name: "failed, of what is not shown",
            answers: [failure],
            policy: .skipping,
            outcome: .unknown,
            detail: "503 UNAVAILABLE",
            end: .complete
        ),
        Row(
            name: "failed, of one message to many",
            answers: [failure],
            policy: .stopping,
            outcome: .unknown,
            detail: "503 UNAVAILABLE",
            end: .unsettled
        ),
        Row(
            name: "failed always, of one message to many that is repeated",
            answers: [failure],
            policy: .retryingMany,
            outcome: .unknown,
            detail: "503 UNAVAILABLE, repeated after 503 UNAVAILABLE",
            sent: 5,
            end: .unsettled
        ),
    ]

    private static let silent = [
        Row(
            name: "silence",
            answers: [silence],
            outcome: .unknown,
            detail: "timed out",
            end: .complete
        ),
        Row(
            name: "silence, where the author says retry",
            answers: [silence, failure, silence, taken],
            policy: .retrying,
            outcome: .accepted,
            detail: "repeated after timed out",
            sent: 4,
            end: .complete
        ),
        Row(
            name: "silence always, where the author says retry",
            answers: [silence],
            policy: .retrying,
            outcome: .unknown,
            detail: "timed out, repeated after timed out",
            sent: 5,
            end: .complete
        ),
        Row(
            name: "silence of one message to many, then taken",
            answers: [silence, taken],
            policy: .retryingMany,
            outcome: .accepted,
            detail: "repeated after timed out",
            sent: 2,
            end: .complete
        ),
    ]

    private static let slowed = [
        Row(
            name: "slowed, then taken",
            answers: [.slowed(delay: nil), taken],
            outcome: .accepted,
            sent: 2,
            end: .complete
        ),
        Row(
            name: "slowed always",
            answers: [.slowed(delay: .seconds(1))],
            outcome: .rejected,
            detail: "APNs 429",
            sent: 5,
            end: .complete
        ),
        Row(
            name: "slowed for longer than the message lives",
            answers: [.slowed(delay: nil)],
            expiry: .seconds(60),
            outcome: .expired,
            detail: "APNs 429",
            end: .complete
        ),
        Row(
            name: "failed, then slowed, then taken",
            answers: [failure, .slowed(delay: .seconds(1)), taken],
            outcome: .accepted,
            detail: "repeated after 503 UNAVAILABLE",
            sent: 3,
            end: .complete
        ),
        Row(
            name: "failed, then always throttled: the first outcome is unknown",
            answers: [failure, .slowed(delay: .seconds(1))],
            outcome: .unknown,
            detail: "APNs 429, repeated after 503 UNAVAILABLE",
            sent: 5,
            end: .complete
        ),
    ]
}
