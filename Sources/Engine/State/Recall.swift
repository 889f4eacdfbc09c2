package import CampaignModel
package import JSON

/// A request to take an occurrence back.
///
/// A recall is an occurrence too, in the slot `recall:SLOT`. Until its first request, it is scheduled, and its
/// message is already stored. Its due time is the time of the request.
package struct RequestedRecall: Hashable, Sendable {
    /// The occurrence to take back.
    package let occurrence: OccurrenceID
    /// The message that replaces that of the occurrence, in its stored form.
    package let message: JSONValue
    /// The process that made the request, for the history.
    package let worker: Worker

    package init(_ occurrence: OccurrenceID, message: JSONValue, worker: Worker) {
        self.occurrence = occurrence
        self.message = message
        self.worker = worker
    }
}

/// The user who requested a recall.
package struct RecallAuthor: Hashable, Sendable {
    package let user: String
    package let host: String

    package init(user: String, host: String) {
        self.user = user
        self.host = host
    }

    package var stored: JSONValue { ["user": .string(user), "host": .string(host)] }

    /// Nil if it is unreadable.
    package init?(stored: JSONValue) {
        guard let user = stored["user"]?.stringValue, let host = stored["host"]?.stringValue else {
            return nil
        }
        self.init(user: user, host: host)
    }
}

extension OutcomeDetail {
    /// The reason for skipping a registration that did not get the message that is taken back.
    package static let notReached = "not reached"
}
