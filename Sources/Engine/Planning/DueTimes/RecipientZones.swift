import CampaignModel
package import JSON
package import RegistrationLists
package import Time

/// The time zones of the recipients of a list.
package struct RecipientZones: Hashable, Sendable {
    /// IANA names, sorted; the empty one is that of recipients without a zone.
    package let names: [String]
    /// The rules of the named zones that the system knows.
    private let known: [String: TimeZoneRules]

    /// Nil if the list does not name a column for them.
    package init?(of survey: ListSurvey, in database: TimeZoneDatabase) {
        guard let zones = survey.zones else { return nil }
        let others = zones.numbers.contains(0) ? [""] : []
        self.init(others + zones.names.sorted(), in: database)
    }

    /// Reads what a definition contains; nil if it is not a list of names.
    package init?(stored: JSONValue, in database: TimeZoneDatabase) {
        guard let values = stored.arrayValue else { return nil }
        self.init(values.compactMap(\.stringValue), in: database)
    }

    /// `names`: sorted.
    package init(_ names: [String], in database: TimeZoneDatabase) {
        self.names = names
        known = names.reduce(into: [:]) { $0[$1] = try? database.rules(named: $1) }
    }

    package var stored: JSONValue { .array(names.map(JSONValue.string)) }

    /// Returns the rules of a named zone; nil if the system does not know it.
    func rules(named name: String) -> TimeZoneRules? { known[name] }

    /// Returns the rules of the zones, without repetitions.
    ///
    /// `standard`: the zone of recipients without one, and of those whose zone the system no longer
    /// knows.
    package func rules(standard: TimeZoneRules) -> [TimeZoneRules] {
        let named = names.compactMap { known[$0] }.filter { $0.name != standard.name }
        return named.count == names.count ? named : [standard] + named
    }
}
