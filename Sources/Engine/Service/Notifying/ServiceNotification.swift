package import CampaignModel
import Crypto
package import State
import Text
package import Time

/// Something that a service reports to the webhook of its environment.
package struct ServiceNotification: Hashable, Sendable {
    /// The raw values appear in requests to the webhook, so they never change.
    package enum Event: String, Hashable, Sendable, CaseIterable {
        /// The wrong-list check stopped an occurrence.
        case held
        /// An occurrence stopped at an unknown outcome.
        case stopped
        /// An occurrence was too late; the rest of it is not sent.
        case expired
        case finished
        /// There is no access token, or FCM refuses the caller.
        case credentialFailed = "credential_failed"
        case credentialRecovered = "credential_recovered"
    }

    package enum Subject: Hashable, Sendable {
        /// An occurrence with all outcomes that the state has of it.
        case occurrence(OccurrenceID, OutcomeTally, Hold?)
        /// `reason`: for people; nil if it works again.
        case credential(reason: String?)
    }

    package let event: Event
    package let subject: Subject
    package let at: Instant
    package let id: NotificationID

    private init(_ event: Event, about subject: Subject, at: Instant, id: NotificationID) {
        self.event = event
        self.subject = subject
        self.at = at
        self.id = id
    }
}

extension ServiceNotification {
    /// Whether an occurrence waits for a user, or has ended.
    package enum Result: Hashable, Sendable {
        case held(Hold)
        case stopped
        case expired
        case finished

        fileprivate var event: Event {
            switch self {
            case .held: .held
            case .stopped: .stopped
            case .expired: .expired
            case .finished: .finished
            }
        }
    }

    /// A notification about an occurrence.
    ///
    /// Its ID depends only on the state, so each process that reports the same makes the same ID.
    package init(
        of occurrence: OccurrenceID,
        _ result: Result,
        counts: OutcomeTally,
        context: Context
    ) {
        let hold: Hold? = if case .held(let hold) = result { hold } else { nil }
        let marks = Outcome.allCases.map { String(counts[$0]) } + [hold?.rawValue ?? ""]
        self.init(
            result.event,
            about: .occurrence(occurrence, counts, hold),
            at: context.now,
            id: NotificationID(
                of: [context.lineage.text, result.event.rawValue, occurrence.description] + marks
            )
        )
    }

    /// A notification about the credential.
    ///
    /// `failure`: what is wrong; nil if it works again.
    package init(ofCredential failure: String?, context: Context) {
        let event: Event = failure == nil ? .credentialRecovered : .credentialFailed
        self.init(
            event,
            about: .credential(reason: failure),
            at: context.now,
            id: NotificationID(of: [context.lineage.text, event.rawValue, context.now.utcText])
        )
    }

    /// The state that a notification is about, and the time.
    package struct Context: Hashable, Sendable {
        package let lineage: StateLineage
        package let now: Instant

        package init(lineage: StateLineage, now: Instant) {
            self.lineage = lineage
            self.now = now
        }
    }
}

/// Identifies a notification, so that a receiver can ignore a repeated one.
package struct NotificationID: Hashable, Sendable {
    /// 32 hexadecimal digits.
    package let text: String

    /// The first half of SHA-256 over the parts, joined by NUL bytes.
    fileprivate init(of parts: [String]) {
        let digest = SHA256.hash(data: Array(parts.joined(separator: "\0").utf8))
        text = Hexadecimal.text(of: digest.prefix(16))
    }
}
