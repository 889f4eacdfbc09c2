package import Scheduling

/// Whom a campaign addresses.
package enum AudienceTarget: Hashable, Sendable {
    case topic(Topic)
    case condition(Condition)
    case registrations(RegistrationList)
}

/// A list of registrations and where it stands.
///
/// The registrations of a file are never held in the model: they are streamed when they are needed.
package enum RegistrationList: Hashable, Sendable {
    /// One registration a line; the path is relative to the project's folder or absolute.
    case file(path: String)
    case inline([Registration])
}

/// A named list that may be kept subscribed to topics.
package struct Audience: Hashable, Sendable {
    package let id: AudienceID
    package let about: String?
    package let list: RegistrationList
    /// The desired membership: every registration of the list is subscribed to each of these, and
    /// to no other topic by this audience.
    ///
    /// Nil where the document says nothing of it.
    package let subscribe: [Topic]?

    package init(id: AudienceID, about: String?, list: RegistrationList, subscribe: [Topic]?) {
        self.id = id
        self.about = about
        self.list = list
        self.subscribe = subscribe
    }
}

/// When a campaign is sent.
package enum Schedule: Hashable, Sendable {
    /// At the next apply, once.
    case immediate
    case at(ScheduledMoment)
}

/// A local time in a zone, and the instant that it means there.
package struct ScheduledMoment: Hashable, Sendable {
    package let local: CivilDateTime
    /// An IANA name.
    package let zone: String
    /// The utc instant; a skipped local time moves forward by the gap, a doubled one is the first.
    package let instant: Instant

    package init(local: CivilDateTime, zone: String, instant: Instant) {
        self.local = local
        self.zone = zone
        self.instant = instant
    }

    /// Later than this past its moment a send is late, in seconds.
    package static let lateAfter: Int64 = 600
}
