package import CampaignModel

/// The registrations that FCM called dead: nothing is sent to them, and they join nothing.
///
/// 16 bytes each.
package struct DeadRegistrations: Hashable, Sendable {
    private let sorted: [Fingerprint]

    /// - Parameter sorted: rising.
    package init(sorted: [Fingerprint]) {
        self.sorted = sorted
    }

    package static let none = DeadRegistrations(sorted: [])

    package var isEmpty: Bool { sorted.isEmpty }

    package func contains(_ fingerprint: Fingerprint) -> Bool {
        let place = firstPlace(from: fingerprint)
        return place < sorted.count && sorted[place] == fingerprint
    }

    /// Those whose short form is this.
    package func named(_ short: UInt64) -> [Fingerprint] {
        let first = firstPlace(from: Fingerprint(high: short, low: .min))
        return Array(sorted[first...].prefix { $0.high == short })
    }

    /// By halving.
    private func firstPlace(from fingerprint: Fingerprint) -> Int {
        var (low, high) = (0, sorted.count)
        while low < high {
            let middle = (low + high) / 2
            if sorted[middle] < fingerprint { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// A list without its dead, and the places in it that they have, from 0.
    package func divide(
        _ list: [Fingerprint]
    ) -> (living: [Fingerprint], dead: [Int]) {
        guard !isEmpty else { return (list, []) }
        var living: [Fingerprint] = []
        var dead: [Int] = []
        living.reserveCapacity(list.count)
        for (place, fingerprint) in list.enumerated() {
            if contains(fingerprint) { dead.append(place) } else { living.append(fingerprint) }
        }
        return (living, dead)
    }
}

extension OutcomeDetail {
    /// Why nothing goes to a registration that FCM called dead before.
    package static let dead = "dead"
}
