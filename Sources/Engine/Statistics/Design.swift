/// What is fixed before the first look.
///
/// A value that is changed after a look, or chosen from the data, makes the intervals invalid.
package struct Design: Hashable, Sendable {
    package let split: Split
    /// The expected variance of one subject's outcome; for a rate p it is p(1 − p).
    ///
    /// It determines when the intervals are tightest, and not whether they are right: a value that
    /// is 10 times too small makes them 7 % wider, one that is 10 times too large 27 %.
    package let variance: Double
    package let question: Question
    /// The probability of a wrong declaration, over all arms and looks.
    package let alpha: Double

    /// `variance`: positive; `alpha`: above 0 and below 1.
    package init(split: Split, variance: Double, question: Question, alpha: Double = 0.05) {
        precondition(variance > 0 && alpha > 0 && alpha < 1)
        self.split = split
        self.variance = variance
        self.question = question
        self.alpha = alpha
    }

    /// How subjects are divided.
    package struct Split: Hashable, Sendable {
        /// Of the control first, then of the other arms; at least 0 each.
        package let weights: [Double]
        /// The planned number of subjects of all arms together; at least 1.
        package let audience: Int

        package init(weights: [Double], audience: Int) {
            precondition(weights.count > 1 && audience > 0)
            precondition(weights.allSatisfy { $0 >= 0 } && weights.contains { $0 > 0 })
            self.weights = weights
            self.audience = audience
        }

        /// The planned number of subjects of an arm; the control is 0.
        package func subjects(ofArm index: Int) -> Double {
            Double(audience) * weights[index] / weights.reduce(0, +)
        }

        /// The number of arms apart from the control.
        package var comparisons: Int { weights.count - 1 }
    }

    /// What the experiment is to find out.
    package struct Question: Hashable, Sendable {
        /// The smallest difference that matters, in the outcome's unit; positive.
        package let smallestDifference: Double
        package let goal: Goal

        package init(smallestDifference: Double, goal: Goal = .more) {
            precondition(smallestDifference > 0)
            self.smallestDifference = smallestDifference
            self.goal = goal
        }
    }

    /// Whether more or less of the outcome is better.
    package enum Goal: Hashable, Sendable {
        case more
        case less
    }

    /// The level of each arm's interval, so that all of them hold at the same time (Bonferroni).
    package var intervalAlpha: Double { alpha / Double(split.comparisons) }

    /// The boundary of an arm's difference, tightest when the audience is complete.
    ///
    /// Nil if the arm or the control has the weight 0.
    package func mixture(ofArm index: Int) -> NormalMixture? {
        let (control, treatment) = (split.subjects(ofArm: 0), split.subjects(ofArm: index))
        guard control > 0, treatment > 0 else { return nil }
        return NormalMixture(
            optimum: variance * control * treatment / (control + treatment),
            alpha: intervalAlpha
        )
    }
}
