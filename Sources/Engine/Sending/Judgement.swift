import FCMClient
import FCMWire
package import HTTPTransport

/// The meaning of an answer to a send, or of a missing answer.
package enum Judgement: Hashable, Sendable {
    /// FCM accepted it, under this name if the answer contains one.
    case accepted(name: String?)
    /// FCM permanently rejected this registration or message.
    case rejected(Rejection)
    /// The server cannot have seen it.
    case unwritten(reason: String)
    /// FCM did not accept it and requests a pause of `delay`.
    case throttled(reason: String, delay: Duration?)
    /// The device's service did not accept it: a pause for this registration only.
    case slowed(delay: Duration?)
    /// The bearer is not accepted, or no longer accepted.
    case unauthorized(reason: String)
    /// About the caller instead of this send: nothing more may be sent until a person has checked
    /// it.
    case refusedUs(reason: String)
    /// The answer leaves delivery unknown, such as 503 or 408: FCM may have delivered the message.
    /// `delay` is the requested pause.
    case failed(reason: String, delay: Duration?)
    /// No answer, or an inconclusive one: it is unknown whether FCM accepted the message.
    case unknown(reason: String)
}

extension Judgement {
    /// `isToGroup`: a success need not name a message (Firebase documentation, Send messages to
    /// device groups).
    package init(of answer: HTTPAnswer, isToGroup: Bool = false) {
        switch SendAnswer(status: answer.status, body: answer.body) {
        case .accepted(let name): self = .accepted(name: name)
        case .refused(let error): self = Self.judge(error, in: answer)
        case .unreadable(200) where isToGroup: self = .accepted(name: nil)
        case .unreadable(let status): self = Self.judge(unreadable: status, in: answer)
        }
    }

    /// Judges the answer to one of many requests, or the reason for a missing answer.
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

    /// Implements the table in `Documentation/Operations/Ledger.md`.
    private static func judge(_ error: FCMError, in answer: HTTPAnswer) -> Judgement {
        if let rejection = Rejection(error) { return .rejected(rejection) }
        return switch error.httpStatus {
        case 401: .unauthorized(reason: words(error))
        case 429 where error.apnsStatus == 429: .slowed(delay: retryDelay(answer, error))
        case 429: .throttled(reason: error.status, delay: retryDelay(answer, error))
        case 500...599 where error.code == .unspecified:
            .unknown(reason: "\(error.httpStatus) UNSPECIFIED_ERROR")
        case 500...599, 408, 425, 499:
            .failed(
                reason: "\(error.httpStatus) \(error.status)",
                delay: retryDelay(answer, error)
            )
        default: .refusedUs(reason: words(error))
        }
    }

    private static func words(_ error: FCMError) -> String {
        "\(error.httpStatus) \(error.status): \(error.message)"
    }

    /// A 4xx without an FCM error comes from a server on the way, which may have passed the request
    /// on; only 401, 403 and 404 are about the caller.
    private static func judge(unreadable status: Int, in answer: HTTPAnswer) -> Judgement {
        let strange = "status \(status), not in FCM's format"
        return switch status {
        case 200...299: .unknown(reason: "\(status) without a message name")
        case 401: .unauthorized(reason: strange)
        case 403, 404: .refusedUs(reason: strange)
        case 429: .throttled(reason: "429", delay: retryDelay(answer))
        case 400...599: .failed(reason: "\(status)", delay: retryDelay(answer))
        default: .refusedUs(reason: strange)
        }
    }

    /// Returns the pause that FCM requests in the header, otherwise in the error; at least one
    /// second.
    private static func retryDelay(_ answer: HTTPAnswer, _ error: FCMError? = nil) -> Duration? {
        (answer.retryAfter ?? error?.retryDelay).map { max(.seconds(1), $0) }
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
