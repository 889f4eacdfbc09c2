import CampaignModel
import State
import FCMWire
import HTTPTransport

/// What FCM says of one registration that is to join or to leave, by either transport (Google
/// documentation, Instance ID server reference; Firebase reference, topicSubscriptions).
enum MembershipVerdict: Hashable, Sendable {
    case done
    case refused(String)
    /// Neither yes nor no; `isQuota` where too much was asked for.
    case passing(isQuota: Bool)

    init(_ error: String?) {
        switch error {
        case nil: self = .done
        case "RESOURCE_EXHAUSTED": self = .passing(isQuota: true)
        case "INTERNAL", "DEADLINE_EXCEEDED", "UNKNOWN", "UNAVAILABLE":
            self = .passing(isQuota: false)
        case let word?: self = .refused(word)
        }
    }

    func result(of member: Member) -> MembershipResult? {
        switch self {
        case .done: MembershipResult(fingerprint: member.fingerprint, verdict: .done)
        case .refused(let word):
            MembershipResult(fingerprint: member.fingerprint, verdict: .refused(word))
        case .passing: nil
        }
    }
}

/// What came of one request for members, be it a batch or one of them.
enum MembershipReply: Hashable, Sendable {
    /// One for each member.
    case verdicts([MembershipVerdict])
    /// 429: nobody was changed. The time is what the server asked for.
    case throttled(String, retryAfter: Duration?)
    /// Nobody knows; to ask again does no harm. `isAnswered` is false where the request got lost.
    case passing(String, retryAfter: Duration?, isAnswered: Bool)
    /// Batches are not served.
    case notServed(String)
    case refusedUs(String)

    /// `count`: how many members the request was for.
    init(_ answer: HTTPAnswer, by route: MembershipRoute, for count: Int) {
        switch route.transport {
        case .batch:
            switch InstanceIDAnswer(status: answer.status, body: answer.body, expected: count) {
            case .verdicts(let words): self = .verdicts(words.map(MembershipVerdict.init))
            case .refused(let status, let error):
                let reason = "\(status) \(error)"
                self =
                    route.isLeft(after: status)
                    ? .notServed(reason) : Self.failed(answer, reason)
            }
        case .perRegistration:
            switch TopicSubscriptionAnswer(status: answer.status, body: answer.body) {
            case .done: self = .verdicts([.done])
            case .refused(let word): self = .verdicts([.refused(word)])
            case .failed(let status, let error): self = Self.failed(answer, "\(status) \(error)")
            }
        }
    }

    private static func failed(_ answer: HTTPAnswer, _ reason: String) -> Self {
        let delay = answer.retryAfter.map { min($0, MembershipReader.longestDelay) }
        if answer.status == 429 { return .throttled(reason, retryAfter: delay) }
        guard MembershipReader.Obstacle.mayPass(answer.status) else { return .refusedUs(reason) }
        return .passing(reason, retryAfter: delay, isAnswered: true)
    }
}

extension MembershipResult {
    /// Whether it is out of the topic: a dead registration is in none.
    var hasLeft: Bool {
        switch verdict {
        case .done, .refused("NOT_FOUND"), .refused("INVALID_ARGUMENT"): true
        case .refused: false
        }
    }
}
