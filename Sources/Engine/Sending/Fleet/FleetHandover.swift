package import State

/// Whether, and how, this process lets a fleet send lists.
package struct FleetHandover: Sendable {
    let ledger: any FleetLedger
    /// Occurrences with fewer requests are sent by this process.
    let fewest: Int

    package init(_ ledger: any FleetLedger, fewest: Int) {
        self.ledger = ledger
        self.fewest = fewest
    }

    /// What workers need, if they send this occurrence; nil if this process sends it.
    func terms(for sending: ActiveOccurrence) -> FleetTerms? {
        guard sending.requests.count >= fewest else { return nil }
        return FleetTerms(sending)
    }
}
