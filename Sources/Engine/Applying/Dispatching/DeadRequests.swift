import CampaignModel
import State

/// Requests of a list that are not made, because FCM called their registrations dead.
///
/// Each gets its outcome together with the mark that passes it, so that what the mark leaves
/// without an outcome is always what may have been sent.
struct DeadRequests: Sendable {
    private var rest: ArraySlice<Int>

    /// So many outcomes are recorded at once.
    private static let batch = 4_096

    /// - Parameter numbers: rising.
    init(_ numbers: [Int]) {
        rest = numbers[...]
    }

    var count: Int { rest.count }

    /// The requests that are made.
    func without(from requests: RequestRanges) -> RequestRanges {
        rest.isEmpty ? requests : requests.subtracting(rest)
    }

    /// Outcomes of those below a mark that have none so far, at most a batch where there is no
    /// mark.
    mutating func take(below mark: Int) -> [UnitOutcome] {
        let passed = mark == .max ? rest.prefix(Self.batch) : rest.prefix { $0 < mark }
        rest = rest.dropFirst(passed.count)
        return passed.map {
            UnitOutcome(index: $0, outcome: .suppressed, detail: OutcomeDetail.dead)
        }
    }
}
