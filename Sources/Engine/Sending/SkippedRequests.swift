import CampaignModel
package import State

/// Requests of a list that are skipped, because their registrations are dead or their persons are
/// over the frequency cap.
///
/// Each outcome is recorded together with the mark that passes it. Requests below the mark without
/// an outcome are therefore always ones that may have been sent.
package struct SkippedRequests: Sendable {
    private var dead: ArraySlice<Int>
    private var capped: ArraySlice<Int>

    /// The maximum number of outcomes of a kind per record.
    private static let batch = 4_096

    /// No number may be in both lists.
    ///
    /// - Parameters:
    ///   - dead: In ascending order.
    ///   - capped: In ascending order.
    package init(dead: [Int], capped: [Int] = []) {
        self.dead = dead[...]
        self.capped = capped[...]
    }

    package var count: Int { dead.count + capped.count }

    /// Returns the requests that are not skipped.
    package func without(from requests: RequestRanges) -> RequestRanges {
        let living = dead.isEmpty ? requests : requests.subtracting(dead)
        return capped.isEmpty ? living : living.subtracting(capped)
    }

    /// Takes the outcomes of requests below a mark, or at most a batch of each kind if there is no
    /// mark.
    package mutating func take(below mark: Int) -> [RequestOutcome] {
        Self.take(from: &dead, below: mark, reason: OutcomeDetail.dead)
            + Self.take(from: &capped, below: mark, reason: OutcomeDetail.cap)
    }

    private static func take(
        from rest: inout ArraySlice<Int>,
        below mark: Int,
        reason: String
    ) -> [RequestOutcome] {
        let passed = mark == .max ? rest.prefix(batch) : rest.prefix { $0 < mark }
        rest = rest.dropFirst(passed.count)
        return passed.map { RequestOutcome(index: $0, outcome: .suppressed, detail: reason) }
    }
}
