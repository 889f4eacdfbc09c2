import FCMWire
package import HTTPTransport

#if MUTANTS
import Mutants
#endif

/// What an answer, or the lack of one, says about a send.
package enum Judgement: Hashable, Sendable {
    /// FCM took it, under this name.
    case accepted(name: String)
    /// FCM refused this registration or message; repeating changes nothing.
    case rejected(reason: String)
    /// Known not to have been taken: it can be sent again, at the earliest after `delay`.
    case undelivered(reason: String, delay: Duration?)
    /// Not about this send but about us: nothing more may be sent until a person has looked.
    case refusedUs(reason: String)
    /// Nobody can say whether FCM took it.
    case unknown(reason: String)
}

extension Judgement {
    package init(of answer: HTTPAnswer) {
        switch SendAnswer(status: answer.status, body: answer.body) {
        case .accepted(let name): self = .accepted(name: name)
        case .refused(let error): self = Self.judge(error, answer)
        case .unreadable(let status): self = Self.judge(unreadable: status, answer)
        }
    }

    package init(of error: TransportError) {
        switch error.fate {
        case .notSent: self = .undelivered(reason: error.detail, delay: nil)
        case .perhapsSent: self = .unknown(reason: error.detail)
        }
    }

    /// The table of `Documentation/Ledger.md`.
    private static func judge(_ error: FCMError, _ answer: HTTPAnswer) -> Judgement {
        switch error.httpStatus {
        case 400...499 where error.apnsStatus == 410: .rejected(reason: "APNs 410")
        case 400 where error.code == .invalidArgument || error.fieldViolations != nil:
            .rejected(reason: FCMErrorCode.invalidArgument.text)
        case 401 where error.code == .thirdPartyAuthError:
            .rejected(reason: FCMErrorCode.thirdPartyAuthError.text)
        case 403 where error.code == .senderIDMismatch:
            .rejected(reason: FCMErrorCode.senderIDMismatch.text)
        case 404 where error.code == .unregistered:
            .rejected(reason: FCMErrorCode.unregistered.text)
        case 429: .undelivered(reason: error.status, delay: retryDelay(answer))
        #if MUTANTS
        case 503 where Mutant.unavailableIsUndelivered.isOn:
            .undelivered(reason: error.status, delay: .milliseconds(100))
        #endif
        case 500...599: .unknown(reason: "\(error.httpStatus) \(error.status)")
        default: .refusedUs(reason: "\(error.httpStatus) \(error.status): \(error.message)")
        }
    }

    private static func judge(unreadable status: Int, _ answer: HTTPAnswer) -> Judgement {
        switch status {
        case 200...299: .unknown(reason: "\(status) without a message name")
        case 429: .undelivered(reason: "429", delay: retryDelay(answer))
        case 500...599: .unknown(reason: "\(status)")
        default: .refusedUs(reason: "status \(status), and not in FCM's form")
        }
    }

    /// `Retry-After` in seconds, at least one; 60 s without it (Firebase documentation, Scaling
    /// with FCM).
    private static func retryDelay(_ answer: HTTPAnswer) -> Duration {
        let seconds = answer.header("Retry-After").flatMap { Int64($0) }
        return .seconds(min(max(1, seconds ?? 60), longestDelay))
    }

    /// A day: clocks can't sleep for whatever number a server sends.
    private static let longestDelay: Int64 = 86_400
}
