import CampaignModel
import FCMClient
import FCMWire
import HTTPTransport
import State

/// FCM's verdict about one joining or leaving registration, with either transport (Google
/// documentation, Instance ID server reference; Firebase reference, topicSubscriptions).
enum MembershipVerdict: Hashable, Sendable {
    case done
    case refused(String)
    /// Inconclusive; `isQuota` if the quota was exceeded.
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

/// The result of one request, for a batch or a single member.
enum MembershipReply: Hashable, Sendable {
    /// One per member.
    case verdicts([MembershipVerdict])
    /// 429: no member was changed; contains the pause that the server requested.
    case throttled(String, retryAfter: Duration?)
    /// Unknown, but safe to repeat; `isAnswered` is false if the request was lost.
    case passing(String, retryAfter: Duration?, isAnswered: Bool)
    /// Batches are not available.
    case notServed(String)
    case refusedUs(String)

    /// `count`: number of members in the request.
    init(_ answer: HTTPAnswer, by route: MembershipRoute, for count: Int) {
        switch route.transport {
        case .batch:
            switch InstanceIDAnswer(status: answer.status, body: answer.body, expected: count) {
            case .verdicts(let words): self = .verdicts(words.map(MembershipVerdict.init))
            case .refused(let status, let error):
                let reason = "\(status) \(error)"
                self =
                    route.isLeft(after: status)
                    ? .notServed(reason) : Self.failed(answer, reason: reason)
            }
        case .perRegistration:
            switch TopicSubscriptionAnswer(status: answer.status, body: answer.body) {
            case .done: self = .verdicts([.done])
            case .refused(let word): self = .verdicts([.refused(word)])
            case .failed(let status, let error):
                self = Self.failed(answer, reason: "\(status) \(error)")
            }
        }
    }

    private static func failed(_ answer: HTTPAnswer, reason: String) -> Self {
        let delay = (answer.retryAfter ?? FCMError.retryDelay(in: answer.body))
            .map { min($0, MembershipReader.longestDelay) }
        if answer.status == 429 { return .throttled(reason, retryAfter: delay) }
        guard MembershipReader.Obstacle.mayPass(answer.status) else { return .refusedUs(reason) }
        return .passing(reason, retryAfter: delay, isAnswered: true)
    }
}

extension MembershipResult {
    /// Whether the member is out of the topic; a dead registration is in no topic.
    var hasLeft: Bool {
        switch verdict {
        case .done, .refused("INVALID_ARGUMENT"): true
        case .refused(let word): word == Self.deadWord
        }
    }

    /// FCM's error for a registration that no app has any more.
    static let deadWord = "NOT_FOUND"
}
