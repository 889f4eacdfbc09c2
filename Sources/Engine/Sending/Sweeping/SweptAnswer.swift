import FCMClient
import FCMWire
import HTTPTransport

/// FCM's answer about a registration.
package enum SweepVerdict: Hashable, Sendable, CaseIterable {
    /// FCM would accept messages to it.
    case valid
    /// FCM or APNs no longer knows it.
    case unregistered
    /// It is not a registration.
    case invalid
    /// It belongs to another Firebase project.
    case mismatched
    /// FCM refused it for another reason.
    case refused

    /// Whether Herald sends nothing to it in the future.
    var isDead: Bool { self == .unregistered || self == .invalid }
}

/// The answer to a request that validates a message without content, or why there is none.
struct SweptAnswer {
    let number: Int
    /// Nil if the answer is not about the registration, or if the request is made again.
    let verdict: SweepVerdict?
    /// What the machine receives.
    ///
    /// FCM can only refuse the registration of a message without content, so a text that is not a
    /// registration counts as an unregistered one, and not as a refused message.
    let judgement: Judgement

    init(_ answer: NumberedAnswer) {
        number = answer.number
        let judged = Judgement(of: answer.outcome, isToGroup: false)
        let isInvalid = judged == .rejected(.invalidArgument) && answer.refusesRegistration
        judgement = isInvalid ? .rejected(.unregistered) : judged
        verdict = isInvalid ? .invalid : SweepVerdict(judged)
    }
}

extension SweepVerdict {
    fileprivate init?(_ judgement: Judgement) {
        switch judgement {
        case .accepted: self = .valid
        case .rejected(let rejection): self.init(rejection)
        case .unwritten, .throttled, .slowed, .unauthorized, .refusedUs, .failed, .unknown:
            return nil
        }
    }

    private init(_ rejection: Rejection) {
        switch rejection {
        case .unregistered, .apnsUnregistered: self = .unregistered
        case .senderIDMismatch: self = .mismatched
        case .invalidArgument, .thirdPartyAuthError, .apnsTooManyRequests: self = .refused
        }
    }
}

extension NumberedAnswer {
    /// Whether FCM refused the registration, not the message.
    fileprivate var refusesRegistration: Bool {
        guard case .success(let answer) = outcome,
            case .refused(let error) = SendAnswer(status: answer.status, body: answer.body)
        else { return false }
        return error.refusesRegistration
    }
}
