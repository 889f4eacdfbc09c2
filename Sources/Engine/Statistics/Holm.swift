/// Holm's step-down procedure for several arms versus one control (Holm, A simple sequentially
/// rejective multiple test procedure, 1979).
///
/// With p values that hold at every look, the probability that any arm without a difference is
/// ever declared different is at most alpha.
package enum Holm {
    /// Returns the adjusted p values, in the order of `pValues`; a hypothesis is rejected at alpha if
    /// its adjusted p value is at most alpha.
    package static func adjusted(_ pValues: [Double]) -> [Double] {
        let order = pValues.indices.sorted { pValues[$0] < pValues[$1] }
        var adjusted = pValues
        var largest = 0.0
        for (rank, index) in order.enumerated() {
            largest = max(largest, min(1, Double(pValues.count - rank) * pValues[index]))
            adjusted[index] = largest
        }
        return adjusted
    }
}
