import Glibc

/// The probability that an estimate crosses the boundary of `NormalMixture` at one of its looks.
///
/// The sum is a Brownian motion that ends at the variance 1, where the boundary is tightest. The
/// density of the paths that have not crossed is integrated from look to look (Armitage, McPherson
/// and Rowe, Repeated significance tests on accumulating data, 1969). A drift changes it by a
/// likelihood ratio.
struct BoundaryCrossing {
    /// The number of equally spaced looks.
    let looks: Int
    /// The density without drift after each look, at the middles of cells.
    private let densities: [[Double]]
    private let middles: [Double]
    private let width: Double

    private static let cells = 800

    /// `looks`: at least 1.
    init(looks: Int, alpha: Double) {
        let mixture = NormalMixture(optimum: 1, alpha: alpha)
        let end = mixture.bound(at: 1, alpha: alpha)
        let width = 2 * end / Double(Self.cells)
        let middles = (0..<Self.cells).map { (Double($0) + 0.5) * width - end }
        let step = 1 / Double(looks)
        let kernel = (0..<Self.cells).map { cell in
            let distance = Double(cell) * width
            return width * exp(-distance * distance / (2 * step)) / (2 * .pi * step).squareRoot()
        }
        var density = middles.map { exp(-$0 * $0 / (2 * step)) / (2 * .pi * step).squareRoot() }
        var densities: [[Double]] = []
        for look in 1...looks {
            if look > 1 { density = Self.convolved(density, kernel) }
            let bound = mixture.bound(at: Double(look) * step, alpha: alpha)
            for cell in density.indices {
                let inside = (bound - abs(middles[cell])) / width + 0.5
                density[cell] *= min(1, max(0, inside))
            }
            densities.append(density)
        }
        self.looks = looks
        self.densities = densities
        self.middles = middles
        self.width = width
    }

    /// Returns the probability of a crossing at one of the looks up to `look`.
    ///
    /// `drift`: the expected sum at the last look, which is the true difference in standard errors.
    func probability(by look: Int, drift: Double) -> Double {
        let penalty = drift * drift * Double(look) / Double(looks) / 2
        let remaining = zip(densities[look - 1], middles).reduce(0) { sum, cell in
            sum + cell.0 * exp(drift * cell.1 - penalty)
        }
        return 1 - remaining * width
    }

    /// The drift that is detected with probability `power`.
    func drift(power: Double) -> Double {
        bisect(0, 100) { probability(by: looks, drift: $0) >= power }
    }

    private static func convolved(_ density: [Double], _ kernel: [Double]) -> [Double] {
        let reach = (kernel.lastIndex { $0 > kernel[0] * 1e-18 } ?? 0) + 1
        return density.indices.map { target in
            var sum = 0.0
            for source in max(0, target - reach)..<min(density.count, target + reach) {
                sum += density[source] * kernel[abs(target - source)]
            }
            return sum
        }
    }
}
