import Glibc

/// A boundary that a sum with mean 0 crosses with probability at most alpha, at any time.
///
/// The two-sided normal mixture (Robbins 1970; Howard, Ramdas, McAuliffe and Sekhon, Time-uniform,
/// nonparametric, nonasymptotic confidence sequences, Annals of Statistics 2021, proposition 5).
/// The same numbers come from `normal_mixture_bound(v, alpha, v_opt, alpha_opt, False)` of the Python
/// package `confseq`. For asymptotically normal estimates the guarantee is asymptotic
/// (Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas, Time-uniform central limit theory and
/// asymptotic confidence sequences, 2024).
package struct NormalMixture: Hashable, Sendable {
    /// The variance of the mixture, in units of the sum's variance.
    package let rho: Double

    /// Chooses the mixture whose boundary is tightest at the variance `optimum`, for `alpha`.
    ///
    /// Both must be known before the first look. `optimum`: positive. `alpha`: above 0, below 1.
    package init(optimum: Double, alpha: Double) {
        let logs = -2 * log(alpha)
        rho = optimum / (logs + log1p(logs))
    }

    /// The boundary at the variance `variance` of the sum; `alpha`: above 0, below 1.
    package func bound(at variance: Double, alpha: Double) -> Double {
        ((variance + rho) * (log1p(variance / rho) - 2 * log(alpha))).squareRoot()
    }

    /// Returns the smallest alpha whose boundary a sum has crossed; at most 1.
    ///
    /// It holds at every look. The smallest value of all looks is valid, too.
    package func pValue(sum: Double, variance: Double) -> Double {
        let logEvidence =
            sum * sum / (2 * (variance + rho)) - log1p(variance / rho) / 2
        return min(1, exp(-logEvidence))
    }
}
