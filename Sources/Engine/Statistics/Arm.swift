/// The data of one arm: its subjects and one outcome of each of them.
package struct Arm: Hashable, Sendable {
    package private(set) var outcome: Outcome
    /// The covariate and its products with the outcome; nil if the list has no such column.
    package private(set) var covariate: Covariate?

    /// What was observed of every subject, 0 included.
    package enum Outcome: Hashable, Sendable {
        /// Whether something happened, such as a purchase.
        ///
        /// `successes`: from 0 to `subjects`.
        case proportion(successes: Int, subjects: Int)
        /// An amount or a number of events per subject; 0 if there was none.
        case mean(Moments)
    }

    /// `covariate`: has as many subjects as the outcome.
    package init(_ outcome: Outcome, covariate: Covariate? = nil) {
        self.outcome = outcome
        self.covariate = covariate
        precondition(covariate == nil || covariate?.count == subjects)
        precondition(outcome.isPossible)
    }

    /// The number of subjects, which is the denominator.
    package var subjects: Int {
        switch outcome {
        case .proportion(_, let subjects): subjects
        case .mean(let moments): moments.count
        }
    }

    /// The share of successes, or the mean; 0 without subjects.
    package var estimate: Double {
        switch outcome {
        case .proportion(let successes, let subjects):
            subjects == 0 ? 0 : Double(successes) / Double(subjects)
        case .mean(let moments): moments.mean
        }
    }

    /// Adds other subjects of the same arm, with the same kind of outcome.
    ///
    /// Without a covariate on one side, the sum has none.
    package mutating func merge(_ other: Arm) {
        switch (outcome, other.outcome) {
        case (.proportion(let successes, let subjects), .proportion(let more, let others)):
            outcome = .proportion(successes: successes + more, subjects: subjects + others)
        case (.mean(var moments), .mean(let others)):
            moments.merge(others)
            outcome = .mean(moments)
        case (.proportion, .mean), (.mean, .proportion):
            preconditionFailure("a proportion and a mean are different outcomes")
        }
        guard var both = covariate, let added = other.covariate else {
            covariate = nil
            return
        }
        both.merge(added)
        covariate = both
    }

    /// The sum of (outcome − mean)².
    var squares: Double {
        switch outcome {
        case .proportion(let successes, let subjects):
            subjects == 0
                ? 0 : Double(successes) * (Double(subjects - successes) / Double(subjects))
        case .mean(let moments): moments.squares
        }
    }

    /// The variance of an outcome, regularized so that it is positive from the first subject on.
    ///
    /// A proportion gets one success and one failure more (Agresti and Caffo, Simple and effective
    /// confidence intervals for proportions and differences of proportions, 2000). A mean gets the
    /// planned variance as one more squared deviation.
    func regularizedVariance(planned: Double) -> Double {
        switch outcome {
        case .proportion(let successes, let subjects):
            let rate = Self.shrunken(successes, of: subjects)
            return rate * (1 - rate)
        case .mean(let moments): return (moments.squares + planned) / Double(moments.count)
        }
    }

    /// The number of subjects that counts for the normal approximation: n / (1 + skewness²).
    ///
    /// For a rare event it is the number of events, and for a symmetric outcome that of subjects.
    var effectiveSize: Double {
        switch outcome {
        case .proportion(let successes, let subjects):
            let rate = Self.shrunken(successes, of: subjects)
            let variance = rate * (1 - rate)
            return Double(subjects) * variance / (1 - 3 * variance)
        case .mean(let moments): return Double(moments.count) / (1 + moments.squaredSkewness)
        }
    }

    private static func shrunken(_ successes: Int, of subjects: Int) -> Double {
        Double(successes + 1) / Double(subjects + 2)
    }
}

extension Arm.Outcome {
    /// Whether the counts are such that an experiment can have them.
    fileprivate var isPossible: Bool {
        switch self {
        case .proportion(let successes, let subjects): successes >= 0 && successes <= subjects
        case .mean(let moments): moments.count >= 0
        }
    }
}
