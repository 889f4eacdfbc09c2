/// The offsets of one time zone for all times.
package struct TimeZoneRules: Hashable, Sendable {
    /// The requested IANA name, such as `Atlantic/Azores`.
    package let name: String

    /// Seconds since 1970 at which an offset begins, strictly ascending.
    let transitions: [Int64]
    /// The first offset applies before all transitions; each other one applies from its transition
    /// on.
    ///
    /// There is one more offset than there are transitions.
    let offsets: [UTCOffset]
    /// The rule from the last transition on; nil if the last offset applies forever.
    let footer: PosixTimeZone?

    /// Coordinated Universal Time, which needs no data.
    package static let utc = TimeZoneRules(
        name: "UTC",
        transitions: [],
        offsets: [UTCOffset(seconds: 0, isDaylightSaving: false, abbreviation: "UTC")],
        footer: nil
    )

    package func offset(at instant: Instant) -> UTCOffset {
        offset(atSeconds: instant.secondsSince1970)
    }

    /// Returns the local time, clamped to the calendar's range.
    package func localTime(at instant: Instant) -> CivilDateTime {
        let seconds = instant.secondsSince1970
        return CivilDateTime(utcSeconds: seconds + Int64(offset(atSeconds: seconds).seconds))
    }

    /// Returns the instants in `range` at which clocks are set forward or back, in ascending order.
    package func clockChanges(in range: Range<Instant>) -> [Instant] {
        let (lower, upper) = (range.lowerBound.secondsSince1970, range.upperBound.secondsSince1970)
        return boundaries(from: lower, upTo: upper)
            .filter { offset(atSeconds: $0 - 1).seconds != offset(atSeconds: $0).seconds }
            .map(Instant.init(secondsSince1970:))
    }

    func offset(atSeconds seconds: Int64) -> UTCOffset {
        if let footer, seconds >= transitions.last ?? .min { return footer.offset(at: seconds) }
        return offsets[transitions.partitionIndex { $0 > seconds }]
    }

    /// Returns ascending seconds in `from..<upTo` that include every change of the offset.
    func boundaries(from: Int64, upTo: Int64) -> [Int64] {
        let start = transitions.partitionIndex { $0 >= from }
        let end = transitions.partitionIndex { $0 >= upTo }
        let stored = Array(transitions[start..<max(start, end)])
        guard let footer else { return stored }
        let firstOfFooter = max(from, transitions.last.map { $0 + 1 } ?? .min)
        return stored + footer.boundaries(from: firstOfFooter, upTo: upTo)
    }
}
