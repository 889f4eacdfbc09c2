import State
import Statistics
import Time

/// The subjects of a look with their outcomes and requests.
struct GatheredSubjects {
    let experiment: ExperimentRecord
    let totals: SubjectTotals
    /// By arm; nil if the outcomes of single requests were dropped.
    let requests: [ArmRequests]?
    let isByPerson: Bool
    let erased: Int

    var count: Int { totals.arms.reduce(0) { $0 + $1.subjects } }
}

/// What is read for a look, before the outcome is compared.
struct Gathered {
    let name: ResultName
    let time: Instant
    let exposures: [Exposure]
    let otherOccurrences: Int
    let subjects: GatheredSubjects
    let outcomes: [OutcomeSummary]

    private var experiment: ExperimentRecord { subjects.experiment }

    func result(
        of request: ResultRequest,
        in store: any ExperimentBook
    ) async throws(ExperimentError) -> ExperimentResult {
        let fixed = try await plan(of: request, in: store)
        let looks = try await state { () async throws(StateStoreError) in
            try await store.looks(of: name).compactMap(PastLook.init)
        }
        var result = result(by: fixed.plan, looks: looks)
        result.isPlannedByDefault = fixed.isDefault
        result.isUnrecorded = fixed.isUnrecorded
        if request.isRecorded, !fixed.isUnrecorded, result.outcome != nil, let look = result.look {
            result.isUnrecorded = try await !isPermitted { () async throws(StateStoreError) in
                try await store.record(look, of: name)
            }
        }
        return result
    }

    private func result(by plan: ResultPlan, looks: [PastLook]) -> ExperimentResult {
        let arms = arms(for: plan.measure)
        return ExperimentResult(
            name: name,
            time: time,
            occurrences: exposures.map(\.occurrence),
            begins: exposures[0].begins,
            isByPerson: subjects.isByPerson,
            arms: arms,
            conflicts: subjects.totals.conflicts,
            erased: subjects.erased,
            outcomes: outcomes,
            plan: plan,
            comparison: ExperimentComparison(arms, by: plan, of: name.outcome),
            looks: looks,
            otherOccurrences: otherOccurrences
        )
    }

    private struct FixedPlan {
        let plan: ResultPlan
        var isDefault = false
        /// Whether it could not be stored, because the user may not write.
        var isUnrecorded = false
    }

    /// The plan is fixed by the first recorded look at a stored outcome.
    private func plan(
        of request: ResultRequest,
        in store: any ExperimentBook
    ) async throws(ExperimentError) -> FixedPlan {
        let fixed = try await state { () async throws(StateStoreError) in
            try await store.plan(of: name)
        }
        if let fixed {
            guard !request.expectation.contradicts(fixed) else { throw .fixedPlan(fixed) }
            return FixedPlan(plan: fixed)
        }
        var plan = FixedPlan(
            plan: request.expectation.plan(audience: subjects.count),
            isDefault: request.expectation.isEmpty
        )
        guard request.isRecorded, outcomes.contains(where: { $0.name == name.outcome }) else {
            return plan
        }
        do throws(StateStoreError) {
            let kept = try await store.fix(plan.plan, of: name)
            return FixedPlan(plan: kept, isDefault: plan.isDefault)
        } catch {
            guard error.isOfReader else { throw .state(error) }
            plan.isUnrecorded = true
            return plan
        }
    }

    /// Returns whether the user may write.
    private func isPermitted(
        _ write: () async throws(StateStoreError) -> Void
    ) async throws(ExperimentError) -> Bool {
        do throws(StateStoreError) {
            try await write()
            return true
        } catch {
            guard error.isOfReader else { throw .state(error) }
            return false
        }
    }

    /// The arms of the comparison; people that the project holds out belong to none.
    private func arms(for measure: ResultPlan.Measure) -> [ArmResult] {
        let total = experiment.arms.reduce(0) { $0 + $1.weight }
        let control =
            experiment.arms.firstIndex { $0.kind == .heldOut }
            ?? experiment.arms.firstIndex { $0.weight > 0 }
        return experiment.arms.enumerated().map { number, arm in
            let found = subjects.totals.arms[number]
            var moments = found.moments
            moments.merge(Moments(count: found.subjects - found.successes))
            let covariate =
                switch measure {
                case .share: found.shares
                case .mean: found.values
                }
            return ArmResult(
                kind: arm.kind,
                share: total == 0 ? 0 : Double(arm.weight) / Double(total),
                subjects: found.subjects,
                requests: subjects.requests?[number],
                successes: found.successes,
                sum: found.sum,
                moments: moments,
                covariate: covariate.count == found.subjects ? covariate : nil,
                isControl: number == control
            )
        }
    }
}

extension StateStoreError {
    /// Whether the state could be read, and the user may not write to it.
    fileprivate var isOfReader: Bool {
        switch self {
        case .readOnly, .server(_, .readOnly), .server(_, .lacksPrivilege): true
        default: false
        }
    }
}

extension ExperimentComparison {
    /// Nil if fewer than two arms can have the outcome.
    init?(_ all: [ArmResult], by plan: ResultPlan, of outcome: String) {
        let isDelivery = ["delivered", "opened"].contains(outcome) || outcome.hasPrefix("message_")
        let hasHoldOut = all.contains { $0.kind == .heldOut }
        let arms = all.indices.filter { number in
            all[number].share > 0 && !(isDelivery && all[number].kind == .heldOut)
        }
        let ordered = arms.filter { all[$0].isControl } + arms.filter { !all[$0].isControl }
        guard ordered.count > 1, ordered.contains(where: { all[$0].subjects > 0 }) else {
            return nil
        }
        let variance =
            switch plan.measure {
            case .share(let rate): rate * (1 - rate)
            case .mean(let deviation): deviation * deviation
            }
        let design = Design(
            split: Design.Split(weights: ordered.map { all[$0].share }, audience: plan.audience),
            variance: variance,
            question: Design.Question(
                smallestDifference: plan.smallestDifference,
                goal: plan.wantsLess ? .less : .more
            )
        )
        let evaluation = Evaluation(
            ordered.map { all[$0].arm(of: plan.measure) },
            design: design
        )
        let plain = evaluation.adjustment.map { _ in
            Evaluation(
                ordered.map { Arm(all[$0].arm(of: plan.measure).outcome) },
                design: design
            )
        }
        self.init(
            evaluation: evaluation,
            arms: ordered,
            omitsHoldOut: isDelivery && hasHoldOut,
            narrowings: evaluation.comparisons.enumerated().map { number, one in
                plain.flatMap { one.narrowing(from: $0.comparisons[number]) }
            }
        )
    }
}

extension Evaluation.Comparison {
    /// The share by which the standard error is smaller; that of the interval is about the same.
    fileprivate func narrowing(from plain: Evaluation.Comparison) -> Double? {
        guard interval != nil, let own = difference?.variance,
            let whole = plain.difference?.variance
        else { return nil }
        return 1 - (own / whole).squareRoot()
    }
}

extension ArmResult {
    fileprivate func arm(of measure: ResultPlan.Measure) -> Arm {
        switch measure {
        case .share:
            Arm(.proportion(successes: successes, subjects: subjects), covariate: covariate)
        case .mean: Arm(.mean(moments), covariate: covariate)
        }
    }
}
