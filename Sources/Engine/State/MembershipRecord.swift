package import CampaignModel

/// The content of one segment about one registration.
///
/// A segment is a sorted sequence of records that were written together. A membership consists of
/// its segments, from the oldest to the newest: a newer record changes or replaces the older ones.
package struct MembershipRecord: Hashable, Sendable {
    package enum Content: Hashable, Sendable {
        /// A member, whose registration is at the record's place.
        case member(MembershipStatus)
        /// A new status of a member in an older segment; without one, it has no effect.
        case status(MembershipStatus)
        /// The registration is no longer a member.
        case removed
    }

    package let fingerprint: Fingerprint
    /// `.none` unless this is a member.
    package let place: RegistrationPlace
    package let content: Content

    package init(
        fingerprint: Fingerprint,
        content: Content,
        place: RegistrationPlace = .none
    ) {
        self.fingerprint = fingerprint
        self.place = place
        self.content = content
    }

    /// The status of a member; nil for other records.
    package var memberStatus: MembershipStatus? {
        if case .member(let status) = content { status } else { nil }
    }
}

/// The place of a member's registration in the store.
package struct RegistrationPlace: Hashable, Sendable {
    package let page: UInt32
    package let slot: UInt8

    package static let none = RegistrationPlace(page: 0, slot: 0)

    package init(page: UInt32, slot: UInt8) {
        self.page = page
        self.slot = slot
    }
}

/// The records of one audience in one topic, or a part of them, as they were read.
package struct MembershipRecords: Sendable {
    /// The oldest first; each is sorted by fingerprint.
    package typealias Segments = [[MembershipRecord]]

    private let decode: @Sendable () throws(StateStoreError) -> Segments

    /// `decode`: checks what was read, on the core of the caller.
    package init(_ decode: @escaping @Sendable () throws(StateStoreError) -> Segments) {
        self.decode = decode
    }

    /// Returns the members, sorted by fingerprint.
    ///
    /// Callers compute them on several cores.
    package func members() throws(StateStoreError) -> [Membership] {
        SegmentMerge.members(try decode())
    }
}
