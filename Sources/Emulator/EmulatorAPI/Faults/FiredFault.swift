import DeliveryModel
import EmulatorAuth
import JSON

/// The effect of a rule on one request.
struct FiredFault {
    let ruleID: String
    private let action: FaultAction
    private let isForChosenRegistrations: Bool
    /// The indices of the selected registrations, or nil for all.
    private let registrations: [Int]?
    /// Milliseconds until the quota is available again.
    private let wait: Int64?

    init(rule: FaultRule, match: FaultMatcher.Match, wait: Int64?) {
        ruleID = rule.id
        action = rule.action
        isForChosenRegistrations = rule.matcher.choosesRegistrations
        if case .registrations(let indices) = match {
            registrations = indices
        } else {
            registrations = nil
        }
        self.wait = wait
    }

    var isRateLimit: Bool { action.answer?.status == 429 }

    /// Combines the fault with the decision that the request would have had without faults.
    func outcome(
        of decision: Decision,
        for subject: FaultSubject,
        at now: DeliveryMoment
    ) -> EmulatorOutcome {
        if subject.isBatch, let error = batchError {
            return partly(decision, error: error, for: subject, at: now)
        }
        let isPerformed = action.isAccepted && decision.answer.status == 200
        var answer = decision.answer.rendered
        if let replacement = action.answer {
            answer = replacement.rendered(for: subject, wait: wait, at: now)
        } else if !action.delivery.isAnswered {
            // Used if the transport must send an answer anyway.
            answer = FaultAnswer(content: .named(.unavailable))
                .rendered(for: subject, wait: nil, at: now)
        }
        answer.delivery = action.delivery
        let isConcealed = action.answer != nil || !action.delivery.isAnswered
        var concealed = decision.answer
        if let harmless = decision.recorded?.answer { concealed.body = harmless }
        answer.fault = FaultRecord(
            rule: ruleID,
            what: description(wait: wait),
            effect: !isPerformed ? .withheld : action.isRepeated ? .performedTwice : .performed,
            replacesAnswer: isConcealed,
            concealed: isPerformed && isConcealed ? concealed : nil
        )
        return EmulatorOutcome(
            answer: answer,
            effect: isPerformed ? decision.effect : .nothing,
            isRepeated: isPerformed && action.isRepeated
        )
    }

    /// The error for the selected registrations of a batch, if any.
    private var batchError: FaultError? {
        guard case .named(let error)? = action.answer?.content,
            isForChosenRegistrations || error.isAboutRegistration
        else { return nil }
        return error
    }

    /// Returns the outcome of a batch in which some registrations have an error.
    private func partly(
        _ decision: Decision,
        error: FaultError,
        for subject: FaultSubject,
        at now: DeliveryMoment
    ) -> EmulatorOutcome {
        let chosen = registrations ?? Array(subject.registrations.indices)
        let told = decision.answer.telling(error, at: chosen)
        let isPerformed = decision.answer.status == 200
        var answer = told.rendered
        answer.headers += action.answer?.headerFields(wait: wait, at: now) ?? []
        answer.delivery = action.delivery
        // More was performed than the answer reports.
        let isConcealed = isPerformed && (action.isAccepted || !action.delivery.isAnswered)
        answer.fault = FaultRecord(
            rule: ruleID,
            what: description(
                wait: wait,
                error: error.rawValue + " for \(chosen.count) of \(subject.registrations.count)"
            ),
            effect: isPerformed
                ? .performedExcept(action.isAccepted ? [] : chosen) : .withheld,
            replacesAnswer: true,
            concealed: isConcealed ? action.isAccepted ? decision.answer : told : nil
        )
        guard isPerformed else { return EmulatorOutcome(answer: answer) }
        let left = Set(action.isAccepted ? [] : chosen.map { subject.registrations[$0] })
        return EmulatorOutcome(answer: answer, effect: decision.effect.without(left))
    }

    /// Returns a short description for the log; `error` replaces the status.
    private func description(wait: Int64?, error: String? = nil) -> String {
        var parts: [String] = []
        if let answer = action.answer { parts.append(answer.description(wait: wait, error: error)) }
        if action.isRepeated { parts.append("delivered twice") }
        if let delivery = action.delivery.description { parts.append(delivery) }
        return parts.joined(separator: ", ")
    }
}

extension EmulatorAnswer {
    /// Returns the answer to a batch with an error in place of some results.
    fileprivate func telling(_ error: FaultError, at indices: [Int]) -> EmulatorAnswer {
        guard var results = body["results"]?.arrayValue else { return self }
        for index in indices where results.indices.contains(index) {
            results[index] = ["error": .string(error.batchWord)]
        }
        var answer = self
        answer.body = ["results": .array(results)]
        return answer
    }
}

extension AnswerDelivery {
    /// Whether the client receives at least a part of an answer.
    var isAnswered: Bool {
        switch self {
        case .whole, .delayed, .slow, .truncated, .goAway(_, .thisStream): true
        case .never, .halfOpen, .resetConnection, .resetStream, .goAway(_, .beforeThisStream):
            false
        }
    }

    fileprivate var description: String? {
        switch self {
        case .whole: nil
        case .delayed(let milliseconds): "\(milliseconds) ms late"
        case .slow(let bytesPerSecond): "\(bytesPerSecond) bytes per second"
        case .truncated(let bytes): "cut off after \(bytes) bytes"
        case .never: "no answer"
        case .halfOpen: "no more answers on this connection"
        case .resetConnection: "connection reset"
        case .resetStream(let code): "RST_STREAM \(code.http2ErrorName)"
        case .goAway(let code, .thisStream): "GOAWAY \(code.http2ErrorName) after this stream"
        case .goAway(let code, .beforeThisStream):
            "GOAWAY \(code.http2ErrorName) before this stream"
        }
    }
}

extension UInt32 {
    fileprivate var http2ErrorName: String {
        HTTP2ErrorName(number: self)?.rawValue ?? String(self)
    }
}
