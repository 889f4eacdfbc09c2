package import CampaignMessages
package import CampaignModel
import FCMClient
import FCMWire
import HTTPTransport
import JSON
package import RegistrationLists
package import RunControl
import State
import Time

/// Sends a campaign's message to a few registrations, sequentially and once each.
///
/// It creates no occurrence, and a rejected registration is not marked as dead.
package struct TestSender: Sendable {
    private let fingerprinter: Fingerprinter
    private let settings: RunSettings

    package init(fingerprinter: Fingerprinter, settings: RunSettings) {
        self.fingerprinter = fingerprinter
        self.settings = settings
    }

    /// Sends to each registration and records the state after each answer, with unanswered requests
    /// as unknown.
    ///
    /// - Parameters:
    ///   - message: The message.
    ///   - people: The registrations, each once.
    ///   - validatesOnly: Whether FCM only validates the message.
    ///   - record: Must be durable when it returns; it is first called before any request.
    /// - Returns: The results, in the order of the registrations.
    /// - Throws: `.unreachable` before anything was recorded, and any error of `record`.
    package func send(
        _ message: MessageTemplate,
        to people: [TestRecipient],
        validatesOnly: Bool,
        record: ([TestResult]) async throws(ApplyError) -> Void
    ) async throws(ApplyError) -> [TestResult] {
        do {
            try await settings.transport.prepare(settings.endpoint.messaging)
        } catch {
            throw .unreachable(reason: error.detail)
        }
        var results = people.map {
            TestResult(
                of: fingerprinter.fingerprint(of: $0.registration),
                verdict: .unknown(reason: "cut off")
            )
        }
        try await record(results)
        var isRefused = false
        for (place, recipient) in people.enumerated() {
            if settings.stop.isRaised || isRefused {
                results[place].verdict = .notSent(reason: "not tried")
                continue
            }
            let judgement = await judge(message, for: recipient, validatesOnly: validatesOnly)
            results[place].verdict = TestResult.Verdict(judgement)
            isRefused = judgement.isAboutUs
            try await record(results)
        }
        try await record(results)
        return results
    }

    private func judge(
        _ message: MessageTemplate,
        for recipient: TestRecipient,
        validatesOnly: Bool
    ) async -> Judgement {
        let first = await answer(to: message, for: recipient, validatesOnly: validatesOnly)
        guard case .unauthorized = first else { return first }
        do {
            try await settings.endpoint.bearer.renew()
        } catch {
            return .refusedUs(reason: error.reason)
        }
        return await answer(to: message, for: recipient, validatesOnly: validatesOnly)
    }

    /// Nil if the message must be encrypted, and the recipient has no key.
    private func message(
        _ template: MessageTemplate,
        for recipient: TestRecipient
    ) -> SendRequest? {
        let message = template.message(sentAt: settings.clock.now())
        guard let sealed = template.sealed else { return message }
        guard let key = recipient.publicKey else { return nil }
        return try? sealed.sealing(message, for: key)
    }

    private func answer(
        to message: MessageTemplate,
        for recipient: TestRecipient,
        validatesOnly: Bool
    ) async -> Judgement {
        let target = SendTarget(recipient.registration, kind: recipient.kind)
        guard let sent = self.message(message, for: recipient) else {
            return .unwritten(reason: "its list has no public key for it")
        }
        let body = sent.body(to: target, validateOnly: validatesOnly).compactBytes
        do {
            let request = settings.endpoint.send(body: body)
            return Judgement(of: try await settings.transport.send(request))
        } catch {
            return Judgement(of: error)
        }
    }
}

/// The result of one test message.
package struct TestResult: Hashable, Sendable {
    package enum Verdict: Hashable, Sendable {
        /// Accepted, with FCM's name of the message.
        case accepted(name: String)
        case rejected(reason: String)
        /// It is unknown whether FCM accepted it.
        case unknown(reason: String)
        case notSent(reason: String)
    }

    package let fingerprint: Fingerprint
    package fileprivate(set) var verdict: Verdict

    init(of fingerprint: Fingerprint, verdict: Verdict) {
        self.fingerprint = fingerprint
        self.verdict = verdict
    }
}

extension TestResult.Verdict {
    fileprivate init(_ judgement: Judgement) {
        switch judgement {
        case .accepted(let name): self = .accepted(name: name ?? "")
        case .rejected(let rejection): self = .rejected(reason: rejection.reason)
        case .failed(let reason, _), .unknown(let reason): self = .unknown(reason: reason)
        case .slowed: self = .notSent(reason: Rejection.apnsTooManyRequests.reason)
        case .unwritten(let reason), .throttled(let reason, _), .unauthorized(let reason),
            .refusedUs(let reason):
            self = .notSent(reason: reason)
        }
    }

    /// The outcome in the history.
    package var outcome: Outcome {
        switch self {
        case .accepted: .accepted
        case .rejected: .rejected
        case .unknown: .unknown
        case .notSent: .returned
        }
    }
}

extension Judgement {
    /// Whether the next request would fail in the same way.
    fileprivate var isAboutUs: Bool {
        switch self {
        case .refusedUs, .unauthorized: true
        case .accepted, .rejected, .unwritten, .throttled, .slowed, .failed, .unknown: false
        }
    }
}
