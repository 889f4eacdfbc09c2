package import CampaignModel
package import State

/// Detects from the answers that a list, project, app or message is wrong.
///
/// No registration is marked as dead before the first 1,000 answers, or all answers of a shorter
/// list, look right.
package struct WrongListDetector: Sendable {
    /// The problem, with its extent.
    package struct WrongListEvidence: Hashable, Sendable {
        package let hold: Hold
        package let dead: Int
        package let mismatched: Int
        /// Number of answers; payload rejections must be consecutive.
        package let answers: Int

        package init(hold: Hold, dead: Int, mismatched: Int, answers: Int) {
            self.hold = hold
            self.dead = dead
            self.mismatched = mismatched
            self.answers = answers
        }
    }

    private let sample: Int
    /// More problems than this in the sample are suspicious.
    private let tolerated: Int
    private var answers: Int
    private var mismatched: Int
    private var deadCount: Int
    private var refusedInARow = 0
    private var isPassed: Bool
    /// Dead registrations that have not been returned yet.
    private var dead: [Int]

    static let sampleSize = 1_000
    /// A smaller number is not significant.
    static let fewestSuspicious = 20
    private static let toleratedShare = 2_000
    private static let refusedInARowLimit = 20
    private static let batch = 1_000

    /// `count`: the length of the whole list; `acknowledged`: the share of dead registrations that
    /// the author expects.
    ///
    /// Answers of `earlier` runs count, unless they were already suspicious and a person allowed
    /// the send to continue.
    package init(count: Int, acknowledged: Percentage? = nil, earlier: EarlierAnswers = .none) {
        let share = max(Self.toleratedShare, acknowledged?.basisPoints ?? 0)
        sample = min(Self.sampleSize, count)
        tolerated = max(sample * share / 10_000, Self.fewestSuspicious - 1)
        answers = earlier.answers
        mismatched = earlier.mismatched
        dead = earlier.dead
        deadCount = earlier.dead.count
        let isTooBad = mismatched + deadCount > tolerated
        isPassed = isTooBad ? !earlier.isHeld : answers >= sample
    }

    /// The number of answers that are missing until the list is known to look right.
    var needed: Int { isPassed ? 0 : max(0, sample - answers) }

    var hasAnswers: Bool { answers > 0 }

    /// Nil if nothing is wrong.
    package var suspicion: WrongListEvidence? {
        if refusedInARow >= Self.refusedInARowLimit {
            return WrongListEvidence(
                hold: .refusedPayload,
                dead: deadCount,
                mismatched: mismatched,
                answers: refusedInARow
            )
        }
        guard !isPassed, mismatched + deadCount > tolerated else { return nil }
        return WrongListEvidence(
            hold: .mostlyDead,
            dead: deadCount,
            mismatched: mismatched,
            answers: answers
        )
    }

    package mutating func accepted() {
        refusedInARow = 0
        count()
    }

    package mutating func rejected(_ request: Int, with rejection: Rejection) {
        refusedInARow = rejection == .invalidArgument ? refusedInARow + 1 : 0
        if rejection == .senderIDMismatch { mismatched += 1 }
        if rejection.isDead {
            deadCount += 1
            dead.append(request)
        }
        count()
    }

    private mutating func count() {
        answers += 1
        if answers >= sample, suspicion == nil { isPassed = true }
    }

    /// Returns a batch of requests to dead registrations; none before the trial has passed.
    mutating func takeDead() -> [Int] { dead.count < Self.batch ? [] : takeRest(isWhole: false) }

    /// `isWhole`: the end of the list was reached.
    mutating func takeRest(isWhole: Bool) -> [Int] {
        guard isPassed || isWhole, suspicion == nil else { return [] }
        defer { dead = [] }
        return dead
    }
}

/// The answers of earlier runs for the same occurrence.
package struct EarlierAnswers: Hashable, Sendable {
    package let answers: Int
    package let dead: [Int]
    package let mismatched: Int
    /// Whether the occurrence is held and no person has released it.
    package let isHeld: Bool

    package init(answers: Int, dead: [Int], mismatched: Int, isHeld: Bool) {
        self.answers = answers
        self.dead = dead
        self.mismatched = mismatched
        self.isHeld = isHeld
    }

    package static let none = EarlierAnswers(answers: 0, dead: [], mismatched: 0, isHeld: false)
}
