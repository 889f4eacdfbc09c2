/// Which requests of an occurrence the frequency cap suppresses.
package struct CapDecision: Hashable, Sendable {
    /// The numbers of the suppressed requests, in ascending order.
    package let capped: [Int]
    /// The number of people that the requests address.
    package let people: Int
    /// The number of those who are over the cap.
    package let cappedPeople: Int

    package init(capped: [Int], people: Int, cappedPeople: Int) {
        self.capped = capped
        self.people = people
        self.cappedPeople = cappedPeople
    }
}
