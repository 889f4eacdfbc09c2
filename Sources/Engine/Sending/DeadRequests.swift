import CampaignModel
package import State

/// Requests of a list that are skipped, because their registrations are dead.
///
/// Each outcome is recorded together with the mark that passes it. Requests below the mark without
/// an outcome are therefore always ones that may have been sent.
package struct DeadRequests: Sendable {
    private var rest: ArraySlice<Int>

    /// The maximum number of outcomes per record.
    private static let batch = 4_096

    /// - Parameter numbers: In ascending order.
    package init(_ numbers: [Int]) {
        rest = numbers[...]
    }

    package var count: Int { rest.count }

    /// Returns the requests to live registrations.
    package func without(from requests: RequestRanges) -> RequestRanges {
        rest.isEmpty ? requests : requests.subtracting(rest)
    }

    /// Takes the outcomes of requests below a mark, or at most a batch if there is no mark.
    package mutating func take(below mark: Int) -> [RequestOutcome] {
        let passed = mark == .max ? rest.prefix(Self.batch) : rest.prefix { $0 < mark }
        rest = rest.dropFirst(passed.count)
        return passed.map {
            RequestOutcome(index: $0, outcome: .suppressed, detail: OutcomeDetail.dead)
        }
    }
}
