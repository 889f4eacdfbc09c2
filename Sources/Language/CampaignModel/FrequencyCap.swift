/// The maximum number of messages to one person on a calendar day and in an ISO week of the person's
/// time zone.
package struct FrequencyCap: Hashable, Sendable {
    /// Nil if days are not limited.
    package let day: Int?
    /// Nil if weeks are not limited.
    package let week: Int?

    /// Nil if nothing is limited.
    package init?(day: Int?, week: Int?) {
        guard day != nil || week != nil else { return nil }
        self.day = day
        self.week = week
    }

    /// Whether a person who got these numbers of messages may not get another one.
    package func isReached(day: Int, week: Int) -> Bool {
        day >= self.day ?? .max || week >= self.week ?? .max
    }
}
