package import CampaignModel

/// Registrations to which Herald sends nothing and that it does not join: dead ones, those that opted
/// out, or both.
///
/// 16 bytes per registration.
package struct DeadRegistrations: Hashable, Sendable {
    private let sorted: [Fingerprint]

    /// - Parameter sorted: In ascending order.
    package init(sorted: [Fingerprint]) {
        self.sorted = sorted
    }

    package static let none = DeadRegistrations(sorted: [])

    package var isEmpty: Bool { sorted.isEmpty }

    /// Returns these registrations and others.
    package func union(_ others: Set<Fingerprint>) -> DeadRegistrations {
        let added = others.filter { !contains($0) }
        return added.isEmpty ? self : DeadRegistrations(sorted: (sorted + added).sortedByBits())
    }

    package func contains(_ fingerprint: Fingerprint) -> Bool {
        let place = firstPlace(from: fingerprint)
        return place < sorted.count && sorted[place] == fingerprint
    }

    /// Returns the registrations with this short form.
    package func named(_ short: UInt64) -> [Fingerprint] {
        let first = firstPlace(from: Fingerprint(high: short, low: .min))
        return Array(sorted[first...].prefix { $0.high == short })
    }

    /// Searches by bisection.
    private func firstPlace(from fingerprint: Fingerprint) -> Int {
        var (low, high) = (0, sorted.count)
        while low < high {
            let middle = (low + high) / 2
            if sorted[middle] < fingerprint { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Divides a list into live and dead registrations, with the positions of dead ones from 0.
    package func divide(
        _ list: [Fingerprint],
        without others: [Int] = []
    ) -> (living: [Fingerprint], dead: [Int]) {
        guard !isEmpty || !others.isEmpty else { return (list, []) }
        var living: [Fingerprint] = []
        var dead: [Int] = []
        living.reserveCapacity(list.count - others.count)
        var left = others[...]
        for (place, fingerprint) in list.enumerated() {
            if place == left.first {
                left.removeFirst()
            } else if contains(fingerprint) {
                dead.append(place)
            } else {
                living.append(fingerprint)
            }
        }
        return (living, dead)
    }
}

extension OutcomeDetail {
    /// The reason for skipping a registration whose person receives nothing, for comparison.
    package static let holdOut = "holdout"

    /// The reason for skipping a dead registration.
    package static let dead = "dead"

    /// The reason for skipping a registration that opted out of everything.
    package static let optOut = "opt_out"
}
