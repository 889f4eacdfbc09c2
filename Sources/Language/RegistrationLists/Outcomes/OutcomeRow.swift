package import CampaignModel
package import Time

/// One event of a file of outcomes, such as a purchase.
package struct OutcomeRow: Hashable, Sendable {
    /// What identifies the subject.
    ///
    /// Its text is a secret.
    package enum Subject: Hashable, Sendable {
        /// The value in the identity column of the list.
        case identity(String)
        /// The first half of a registration's fingerprint, as Herald prints it.
        case fingerprint(UInt64)
        case registration(Registration)
        /// The ID that FCM gave to an accepted message, without its prefix.
        case message(String)
    }

    /// From 1.
    package let line: Int
    package let subject: Subject
    package let time: Instant
    package let name: String
    package let value: Double?
    /// The content that makes two rows the same event.
    ///
    /// It contains the subject's text.
    package let content: String

    package init(
        line: Int,
        subject: Subject,
        time: Instant,
        name: String,
        value: Double?,
        content: String
    ) {
        self.line = line
        self.subject = subject
        self.time = time
        self.name = name
        self.value = value
        self.content = content
    }

    /// The name of events without one.
    package static let usualName = "conversion"
}

/// A row of a file of outcomes that cannot be used.
///
/// It never contains a value of the row.
package struct OutcomeFault: Error, Hashable, Sendable {
    package enum Reason: Hashable, Sendable {
        /// It is no record or no JSON object; with the explanation of the reader.
        case broken(String)
        case noSubject
        /// Several columns that identify a subject have values.
        case severalSubjects([String])
        case noTime(column: String)
        case noNumber(column: String)
        case noFingerprint
        case noRegistration(column: String)
        case longName(column: String)
        /// The event was before every send to its subject.
        case beforeSend
    }

    /// From 1.
    package let line: Int
    package let reason: Reason

    package init(line: Int, reason: Reason) {
        self.line = line
        self.reason = reason
    }
}

/// Why no row of a file of outcomes can be read.
package enum OutcomeFileError: Error, Hashable, Sendable {
    case unreadable(RegistrationListError.Reason)
    case empty
    /// The header line, or the first object, has no column that identifies a subject.
    case noSubjectColumn
    case noTimeColumn
    /// The header line names a column twice.
    case repeatedColumn(String)
    /// A header line is not a CSV record.
    case brokenHead(String)
}
