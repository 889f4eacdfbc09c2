import DeliveryModel
import HTML
import Simulation

/// A bar of 50 equal pieces, so that the page needs no inline styles for shares.
enum SimulationBar {
    static let whole = 50

    /// Returns the number of pieces of each count, in proportion to the counts.
    ///
    /// Every positive count has at least one piece, and the sum is always `whole`.
    static func pieces(of counts: [Int]) -> [Int] {
        let total = counts.reduce(0, +)
        guard total > 0 else { return counts.map { _ in 0 } }
        var parts = counts.map { $0 > 0 ? max(1, $0 * whole / total) : 0 }
        /// Returns the missing part of a piece, in units of 1/`total`.
        func lack(_ place: Int) -> Int { counts[place] * whole - parts[place] * total }
        while parts.reduce(0, +) < whole {
            let place = parts.indices.max { lack($0) < lack($1) } ?? 0
            parts[place] += 1
        }
        while parts.reduce(0, +) > whole {
            let place = parts.indices.filter { parts[$0] > 1 }.min { lack($0) < lack($1) } ?? 0
            parts[place] -= 1
        }
        return parts
    }

    /// Returns the bar of `shares`, each with a class name and a count.
    static func node(_ shares: [(name: String, count: Int)]) -> HTMLNode {
        let parts = pieces(of: shares.map { $0.count })
        return HTMLNode(.div, .class("bar"), .hidden) {
            zip(shares, parts).flatMap { share, count in
                (0..<count).map { _ in HTMLNode(.span, .class(share.name), text: "") }
            }
        }
    }
}

extension MessageOutcome {
    /// The CSS class of the outcome's colour.
    var colour: String {
        switch self {
        case .delivered: "good"
        case .pending: "waits"
        case .collapsed: "newer"
        case .droppedTtlExpired: "late"
        case .nothingForPlatform: "other"
        case .droppedTooManyPendingMessages, .droppedDeviceInactive, .droppedAppForceStopped,
            .droppedUninstalled, .droppedUnregistered:
            "lost"
        }
    }
}
