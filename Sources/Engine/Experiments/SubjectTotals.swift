import State
import Statistics

/// The subjects of each arm with their outcomes.
struct SubjectTotals {
    /// One arm.
    struct ArmTotal {
        /// The denominator: each subject counts once.
        var subjects = 0
        var successes = 0
        var sum = 0.0
        /// The values of subjects with the outcome.
        var moments = Moments()
        /// The covariate with 1 for the outcome, and with the sum of the values.
        var shares = Covariate()
        var values = Covariate()
    }

    private(set) var arms: [ArmTotal]
    /// The number of subjects that were found in two arms; they belong to none.
    private(set) var conflicts = 0

    init(arms: Int) {
        self.arms = Array(repeating: ArmTotal(), count: arms)
    }

    /// Adds a subject.
    ///
    /// - Parameters:
    ///   - rows: All rows of the subject; the covariate of the first one counts, because a send may have
    ///     changed later ones.
    ///   - value: The sum of its values; nil without the outcome.
    mutating func add(_ rows: ArraySlice<SubjectSort.Row>, value: Double?) {
        guard let first = rows.first, arms.indices.contains(Int(first.arm)) else { return }
        guard rows.allSatisfy({ $0.arm == first.arm }) else {
            conflicts += 1
            return
        }
        let arm = Int(first.arm)
        arms[arm].subjects += 1
        if let value {
            arms[arm].successes += 1
            arms[arm].sum += value
            arms[arm].moments.add(value)
        }
        guard !first.covariate.isNaN else { return }
        arms[arm].shares.add(first.covariate, outcome: value == nil ? 0 : 1)
        arms[arm].values.add(first.covariate, outcome: value ?? 0)
    }
}

/// The sums of subjects in the order of a sort, read in pages.
struct SumPages {
    private let store: any ExperimentBook
    private let outcome: String
    private let units: [UnitID]
    private var page: ArraySlice<SubjectSum> = []
    private var last: UInt64?
    private var isComplete: Bool

    /// The number of subjects per query.
    private static let atOnce = 65_536

    /// `units`: without any, no subject has a sum.
    init(of outcome: String, in units: [UnitID], store: any ExperimentBook) {
        self.store = store
        self.outcome = outcome
        self.units = units
        isComplete = units.isEmpty
    }

    /// Returns the sum of a subject; nil if it does not have the outcome.
    ///
    /// Subjects must be in the order of `SubjectSort`.
    mutating func value(of row: SubjectSort.Row) async throws(StateStoreError) -> Double? {
        while true {
            while let first = page.first, first.subject ^ 1 << 63 < row.key { page.removeFirst() }
            if let first = page.first { return first.subject == row.subject ? first.value : nil }
            guard !isComplete else { return nil }
            page = try await store.sums(of: outcome, in: units, after: last, limit: Self.atOnce)[
                ...
            ]
            last = page.last?.subject
            isComplete = page.count < Self.atOnce
        }
    }
}
