import DeliveryModel
import HTML

/// A whole of 50 equal pieces, so that a page needs no styles of its own to show shares.
enum SimulationBar {
    static let whole = 50

    /// How many pieces each count gets: as many as is its share, at least one where there is any,
    /// and all of them together.
    static func pieces(of counts: [Int]) -> [Int] {
        let total = counts.reduce(0, +)
        guard total > 0 else { return counts.map { _ in 0 } }
        var parts = counts.map { $0 > 0 ? max(1, $0 * whole / total) : 0 }
        /// By how much of a piece, in parts of the total, a count has too few.
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

    /// `shares`: the class of the pieces, and how many each stands for.
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
    /// The class of its colour.
    var colour: String {
        switch self {
        case .delivered: "good"
        case .pending: "waits"
        case .collapsed: "newer"
        case .droppedTtlExpired: "late"
        case .nothingForPlatform: "other"
        default: "lost"
        }
    }
}
