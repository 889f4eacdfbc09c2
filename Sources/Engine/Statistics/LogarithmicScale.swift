import Glibc

/// A scale on which equal ratios have equal lengths, from 0 to a largest value.
///
/// It is the logarithm of the value plus 1, so that it has a place for 0.
package struct LogarithmicScale: Sendable {
    private let whole: Double

    /// `largest`: at least 0.
    package init(upTo largest: Double) {
        whole = log1p(largest)
    }

    /// Returns a place from 0 to 1; 0 if the largest value is 0.
    package func place(of value: Double) -> Double {
        whole > 0 ? min(1, max(0, log1p(value) / whole)) : 0
    }
}
