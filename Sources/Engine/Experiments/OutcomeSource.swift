package import CampaignModel
package import RegistrationLists
package import Time

/// The port for outcomes: a source of events that may have happened to subjects of experiments.
package protocol OutcomeSource {
    /// Returns the next events, at most about `limit`; nil at the end.
    mutating func next(atMost limit: Int) async throws(OutcomeSourceError) -> OutcomeBatch?
}

/// Why a source cannot be read.
package enum OutcomeSourceError: Error, Hashable, Sendable {
    case file(OutcomeFileError)
}

/// Some events of a source, and the rows that are none.
package struct OutcomeBatch: Sendable {
    package var reports: [OutcomeReport] = []
    package var faults: [OutcomeFault] = []

    package init() {}
}

/// An event of a source, without the texts that identify its subject.
package struct OutcomeReport: Hashable, Sendable {
    package enum Subject: Hashable, Sendable {
        /// The first half of the fingerprint of an identity.
        case person(UInt64)
        /// The first half of the fingerprint of a registration.
        case registration(UInt64)
        /// The ID of an accepted message, without its prefix.
        case message(String)
    }

    /// Where the source has it, from 1.
    package let line: Int
    package let subject: Subject
    package let time: Instant
    package let name: String
    package let value: Double?
    /// A keyed hash of its content.
    package let event: Fingerprint
    /// The de-duplication key of the message that it belongs to; nil if any send may have caused it.
    package let key: String?
    /// The campaign that it belongs to; nil if any campaign may have caused it.
    package let campaign: CampaignID?

    package init(
        line: Int,
        subject: Subject,
        time: Instant,
        name: String,
        value: Double? = nil,
        event: Fingerprint,
        key: String? = nil,
        campaign: CampaignID? = nil
    ) {
        self.line = line
        self.subject = subject
        self.time = time
        self.name = name
        self.value = value
        self.event = event
        self.key = key
        self.campaign = campaign
    }
}
