import FCMWire
package import HTTPTransport

#if MUTANTS
import Mutants
#endif

/// What an answer, or the lack of one, says about a send.
package enum Judgement: Hashable, Sendable {
    /// FCM took it, under this name where it gave one.
    case accepted(name: String?)
    /// FCM refused this registration or message; repeating changes nothing.
    case rejected(Rejection)
    /// The server cannot have seen it.
    case unwritten(reason: String)
    /// FCM did not take it, and asks for a pause; `delay` is how long it asks for.
    case throttled(reason: String, delay: Duration?)
    /// The device's service did not take it: a pause for this registration alone.
    case slowed(delay: Duration?)
    /// The bearer is not taken, or not any more.
    case unauthorized(reason: String)
    /// Not about this send but about us: nothing more may be sent until a person has looked.
    case refusedUs(reason: String)
    /// The answer says nothing about delivery, such as 503 or 408: FCM may have taken it. `delay` is
    /// the pause that the answer asks for.
    case failed(reason: String, delay: Duration?)
    /// Silence, or what says nothing: nobody can say whether FCM took it.
    case unknown(reason: String)
}

extension Judgement {
    /// `isToGroup`: a success need not name a message (Firebase documentation, Send messages to device
    /// groups).
    package init(of answer: HTTPAnswer, isToGroup: Bool = false) {
        switch SendAnswer(status: answer.status, body: answer.body) {
        case .accepted(let name): self = .accepted(name: name)
        case .refused(let error): self = Self.judge(error, answer)
        case .unreadable(200) where isToGroup: self = .accepted(name: nil)
        case .unreadable(let status): self = Self.judge(unreadable: status, answer)
        }
    }

    /// Of the answer to one of many requests, or of why it got none.
    init(of outcome: Result<HTTPAnswer, TransportError>, isToGroup: Bool) {
        switch outcome {
        case .success(let answer): self.init(of: answer, isToGroup: isToGroup)
        case .failure(let error): self.init(of: error)
        }
    }

    package init(of error: TransportError) {
        switch error.fate {
        case .notSent: self = .unwritten(reason: error.detail)
        case .perhapsSent: self = .unknown(reason: error.detail)
        }
    }

    /// The table of `Documentation/Operations/Ledger.md`.
    private static func judge(_ error: FCMError, _ answer: HTTPAnswer) -> Judgement {
        if let rejection = Rejection(error) { return .rejected(rejection) }
        return switch error.httpStatus {
        case 401: .unauthorized(reason: words(error))
        case 429 where error.apnsStatus == 429: .slowed(delay: retryDelay(answer))
        case 429: .throttled(reason: error.status, delay: retryDelay(answer))
        #if MUTANTS
        case 503 where Mutant.unavailableIsUndelivered.isOn: .unwritten(reason: error.status)
        #endif
        case 500...599, 408, 425, 499:
            .failed(reason: "\(error.httpStatus) \(error.status)", delay: retryDelay(answer))
        default: .refusedUs(reason: words(error))
        }
    }

    private static func words(_ error: FCMError) -> String {
        "\(error.httpStatus) \(error.status): \(error.message)"
    }

    /// A 4xx without an FCM error comes from a server on the way, which may have passed the request
    /// on; only 401, 403 and 404 are about the caller.
    private static func judge(unreadable status: Int, _ answer: HTTPAnswer) -> Judgement {
        let strange = "status \(status), and not in FCM's form"
        return switch status {
        case 200...299: .unknown(reason: "\(status) without a message name")
        case 401: .unauthorized(reason: strange)
        case 403, 404: .refusedUs(reason: strange)
        case 429: .throttled(reason: "429", delay: retryDelay(answer))
        case 400...599: .failed(reason: "\(status)", delay: retryDelay(answer))
        default: .refusedUs(reason: strange)
        }
    }

    /// What FCM asks for, a second at least.
    private static func retryDelay(_ answer: HTTPAnswer) -> Duration? {
        answer.retryAfter.map { max(.seconds(1), $0) }
    }
}

extension Rejection {
    fileprivate init?(_ error: FCMError) {
        switch error.httpStatus {
        case 400...499 where error.apnsStatus == 410: self = .apnsUnregistered
        case 400 where error.code == .invalidArgument || error.fieldViolations != nil:
            self = .invalidArgument
        case 401 where error.code == .thirdPartyAuthError: self = .thirdPartyAuthError
        case 403 where error.code == .senderIDMismatch: self = .senderIDMismatch
        case 404 where error.code == .unregistered: self = .unregistered
        default: return nil
        }
    }
}
