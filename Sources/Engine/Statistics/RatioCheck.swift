import Glibc

/// Checks whether the sizes of the arms fit their weights.
///
/// If not, subjects were lost or added in a way that depends on the arm, and no difference between
/// arms can be believed (Fabijan et al., Diagnosing sample ratio mismatch in online controlled
/// experiments, 2019, who use the limit 0.0005 to 0.001).
///
/// The verdict is that of a sequential test, because a page of results is read again and again: a
/// chi-square test that is repeated daily finds a mismatch in experiments without one. The
/// sequential test is the Dirichlet-multinomial martingale of Lindon and Malek (Anytime-valid
/// inference for multinomial count data, 2022). Its p value is at most `limit` at any look with
/// probability `limit`. The p value of the chi-square test is information.
package struct RatioCheck: Hashable, Sendable {
    /// The sequential p value at this look.
    package let pValue: Double
    /// The p value of Pearson's chi-square test, valid for one look that was planned in advance.
    package let fixedHorizonPValue: Double

    /// The limit of Fabijan et al.
    package static let limit = 0.001

    /// Whether the sizes contradict the weights.
    package var isMismatch: Bool { pValue <= Self.limit }

    /// `counts`: the subjects of each arm; `weights`: one for each arm, at least 0, not all 0.
    package init(counts: [Int], weights: [Double]) {
        precondition(counts.count == weights.count)
        let total = weights.reduce(0, +)
        precondition(total > 0)
        let isPossible = zip(counts, weights).allSatisfy { $0 == 0 || $1 > 0 }
        guard isPossible else {
            pValue = 0
            fixedHorizonPValue = 0
            return
        }
        let cells = zip(counts, weights).compactMap { count, weight in
            weight > 0 ? Cell(count: Double(count), share: weight / total) : nil
        }
        pValue = Self.sequential(cells)
        fixedHorizonPValue = Self.chiSquare(cells)
    }

    private struct Cell {
        let count: Double
        let share: Double
    }

    private static func chiSquare(_ cells: [Cell]) -> Double {
        let total = cells.reduce(0) { $0 + $1.count }
        guard total > 0, cells.count > 1 else { return 1 }
        let statistic = cells.reduce(0) { sum, cell in
            let expected = total * cell.share
            return sum + (cell.count - expected) * (cell.count - expected) / expected
        }
        return ChiSquareDistribution.upperTail(statistic, freedom: cells.count - 1)
    }

    /// The numbers of imaginary earlier subjects from which the martingales start.
    ///
    /// A small one finds large mismatches of few subjects, a large one small mismatches of many. The
    /// mean of martingales is a martingale.
    private static let concentrations = [1e1, 1e2, 1e3, 1e4, 1e5, 1e6]

    private static func sequential(_ cells: [Cell]) -> Double {
        guard cells.count > 1 else { return 1 }
        let logs = concentrations.map { logEvidence(cells, concentration: $0) }
        let largest = logs.max() ?? 0
        let sum = logs.reduce(0) { $0 + exp($1 - largest) }
        return min(1, exp(log(Double(logs.count) / sum) - largest))
    }

    /// The logarithm of the Bayes factor against the weights.
    private static func logEvidence(_ cells: [Cell], concentration: Double) -> Double {
        let total = cells.reduce(0) { $0 + $1.count }
        let start = logGamma(concentration) - logGamma(concentration + total)
        return cells.reduce(start) { sum, cell in
            let prior = concentration * cell.share
            return sum + logGamma(prior + cell.count) - logGamma(prior)
                - cell.count * log(cell.share)
        }
    }
}
