/// The offsets of one time zone through all of time.
package struct TimeZoneRules: Hashable, Sendable {
    /// The IANA name it was asked for by, such as `Atlantic/Azores`.
    package let name: String

    /// Seconds since 1970 at which an offset begins, strictly ascending.
    let transitions: [Int64]
    /// One more than there are transitions: the first holds before them all, each other one from
    /// its transition on.
    let offsets: [UTCOffset]
    /// What holds from the last transition on; nil where the last offset simply stays.
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

    /// What a wall clock shows; at the ends of the calendar the nearest time inside.
    package func localTime(at instant: Instant) -> CivilDateTime {
        let seconds = instant.secondsSince1970
        return CivilDateTime(utcSeconds: seconds + Int64(offset(atSeconds: seconds).seconds))
    }

    /// The instants inside `range` at which clocks are put forward or back, ascending.
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

    /// Ascending seconds in `from..<upTo` at which the offset may change; it changes nowhere else.
    func boundaries(from: Int64, upTo: Int64) -> [Int64] {
        let start = transitions.partitionIndex { $0 >= from }
        let end = transitions.partitionIndex { $0 >= upTo }
        let stored = Array(transitions[start..<max(start, end)])
        guard let footer else { return stored }
        let firstOfFooter = max(from, transitions.last.map { $0 + 1 } ?? .min)
        return stored + footer.boundaries(from: firstOfFooter, upTo: upTo)
    }
}
