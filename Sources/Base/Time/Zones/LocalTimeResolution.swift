extension TimeZoneRules {
    /// Returns the instants at which clocks show `local`, or the moved instant if none does.
    package func resolve(_ local: CivilDateTime) -> LocalMoment {
        let wall = local.utcSeconds
        let stretches = stretches(around: wall)
        let matches = stretches.compactMap { $0.instant(showing: wall) }
        guard let first = matches.first else { return moveOverGap(wall, in: stretches) }
        guard matches.count > 1 else { return .unique(first) }
        return .doubled(first: first, second: matches[1])
    }

    private func moveOverGap(_ wall: Int64, in stretches: [Stretch]) -> LocalMoment {
        // No period shows `wall`: one ends before it, and the next begins after it.
        let before = stretches.last { $0.start + $0.offset <= wall } ?? stretches[0]
        let after = Int64(offset(atSeconds: before.end).seconds)
        return .skipped(
            movedTo: Instant(secondsSince1970: wall - before.offset),
            gapSeconds: Int(after - before.offset)
        )
    }

    /// All periods of constant offset in which a clock could show `wall`; never empty.
    private func stretches(around wall: Int64) -> [Stretch] {
        let reach: Int64 = 27 * 3600  // more than `UTCOffset.allowedSeconds`
        let (from, upTo) = (wall - reach, wall + reach)
        let starts = [from] + boundaries(from: from + 1, upTo: upTo)
        return zip(starts, starts.dropFirst() + [upTo]).map { start, end in
            Stretch(start: start, end: end, offset: Int64(offset(atSeconds: start).seconds))
        }
    }
}

/// The seconds since 1970 in `start..<end`, during which clocks are `offset` seconds ahead of UTC.
private struct Stretch {
    let start: Int64
    let end: Int64
    let offset: Int64

    func instant(showing wall: Int64) -> Instant? {
        let seconds = wall - offset
        return start <= seconds && seconds < end ? Instant(secondsSince1970: seconds) : nil
    }
}
