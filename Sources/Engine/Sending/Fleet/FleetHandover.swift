package import State

/// Whether, and how, this process lets a fleet send lists.
package struct FleetHandover: Sendable {
    let ledger: any FleetLedger
    /// Occurrences with fewer requests are sent by this process.
    let fewest: Int
    /// The number of requests that all workers may leave unknown.
    let mostUnknown: Int

    package init(_ ledger: any FleetLedger, fewest: Int, mostUnknown: Int) {
        self.ledger = ledger
        self.fewest = fewest
        self.mostUnknown = mostUnknown
    }

    /// What workers need, if they send this occurrence; nil if this process sends it.
    func terms(for sending: ActiveOccurrence) -> FleetTerms? {
        let count =
            sending.rollout == nil
            ? sending.requests.count : sending.skipped.without(from: sending.requests).count
        guard count >= fewest else { return nil }
        return FleetTerms(sending)
    }
}
