package import State
package import Time

/// The calendars of a list's people.
package struct PeopleZones: Sendable {
    /// The zones that rows name; nil for one that the database no longer knows.
    private let named: [TimeZoneRules?]
    private let database: TimeZoneDatabase

    package init(_ people: ListPeople, database: TimeZoneDatabase) {
        named = people.zones.map { try? database.rules(named: $0) }
        self.database = database
    }

    /// Returns the local day by the number of the zone; 0 is that of people without a zone.
    ///
    /// `standard`: the zone of people without one, and of those whose zone is unknown.
    func days(at instant: Instant, standard: String) -> [LocalDay] {
        rules(standard: standard).map { LocalDay(at: instant, in: $0) }
    }

    /// Returns the first instant at which a day begins in one of the zones.
    ///
    /// `others`: zones in which the messages may be counted for other lists.
    package func nextDay(
        after instant: Instant,
        standard: String,
        others: Set<String>
    ) -> Instant {
        let others = others.compactMap { try? database.rules(named: $0) }
        return (rules(standard: standard) + others).map { $0.nextDay(after: instant) }.min()
            ?? .latest
    }

    private func rules(standard: String) -> [TimeZoneRules] {
        let standard = (try? database.rules(named: standard)) ?? .utc
        return [standard] + named.map { $0 ?? standard }
    }
}
