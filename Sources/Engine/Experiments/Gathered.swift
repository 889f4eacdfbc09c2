import State
import Statistics
import Time

/// What is read for a look, before the outcome is compared.
struct Gathered {
    let name: ResultName
    let time: Instant
    let exposures: [Exposure]
    let otherOccurrences: Int
    let tally: ExposureTally
    let outcomes: [OutcomeSummary]

    /// The number of subjects per query.
    private static let atOnce = 10_000

    private var experiment: ExperimentRecord { exposures[0].experiment }

    func result(
        of request: ResultRequest,
        in store: any ExperimentBook
    ) async throws(ExperimentError) -> ExperimentResult {
        if let chosen = request.outcome, !outcomes.isEmpty,
            !outcomes.contains(where: { $0.name == chosen })
        {
            throw .noOutcome(chosen, among: outcomes.map(\.name))
        }
        let subjects = tally.subjects
        let sums = try await state { () async throws(StateStoreError) in
            try await self.sums(without: subjects.conflicts, in: store)
        }
        let arms = arms(subjects, with: sums)
        let plan = try await plan(of: request, audience: subjects.counts.reduce(0, +), in: store)
        let comparison = ExperimentComparison(arms, by: plan.plan, of: name.outcome)
        let looks = try await state { () async throws(StateStoreError) in
            try await store.looks(of: name).compactMap(PastLook.init)
        }
        let result = ExperimentResult(
            name: name,
            time: time,
            occurrences: exposures.map(\.occurrence),
            begins: exposures[0].begins,
            isByPerson: tally.isByPerson,
            arms: arms,
            subjects: subjects,
            outcomes: outcomes,
            plan: plan.plan,
            isPlannedByDefault: plan.isDefault,
            comparison: comparison,
            looks: looks,
            otherOccurrences: otherOccurrences
        )
        if request.isRecorded, result.outcome != nil, let look = result.look {
            try await state { () async throws(StateStoreError) in
                try await store.record(look, of: name)
            }
        }
        return result
    }

    /// The plan is fixed by the first recorded look at a stored outcome.
    private func plan(
        of request: ResultRequest,
        audience: Int,
        in store: any ExperimentBook
    ) async throws(ExperimentError) -> (plan: ResultPlan, isDefault: Bool) {
        let fixed = try await state { () async throws(StateStoreError) in
            try await store.plan(of: name)
        }
        if let fixed {
            guard !request.expectation.contradicts(fixed) else { throw .fixedPlan(fixed) }
            return (fixed, false)
        }
        let plan = request.expectation.plan(audience: audience)
        let isKnown = outcomes.contains { $0.name == name.outcome }
        guard request.isRecorded, isKnown else { return (plan, request.expectation.isEmpty) }
        let kept = try await state { () async throws(StateStoreError) in
            try await store.fix(plan, of: name)
        }
        return (kept, request.expectation.isEmpty)
    }

    /// The outcome by arm.
    private struct ArmSums {
        var successes = 0
        var sum = 0.0
        var moments = Moments()
    }

    private func sums(
        without conflicts: Set<UInt64>,
        in store: any ExperimentBook
    ) async throws(StateStoreError) -> [ArmSums] {
        var sums = experiment.arms.map { _ in ArmSums() }
        var last: SubjectSum?
        while true {
            let page = try await store.sums(
                of: name.outcome,
                in: exposures.map(\.unit),
                after: last,
                limit: Self.atOnce
            )
            for one in page
            where sums.indices.contains(Int(one.arm)) && !conflicts.contains(one.subject) {
                sums[Int(one.arm)].successes += 1
                sums[Int(one.arm)].sum += one.value
                sums[Int(one.arm)].moments.add(one.value)
            }
            guard page.count == Self.atOnce else { return sums }
            last = page.last
        }
    }

    /// The arms of the comparison; people whom the project holds out belong to none.
    private func arms(_ subjects: SubjectCounts, with sums: [ArmSums]) -> [ArmResult] {
        let total = experiment.arms.reduce(0) { $0 + $1.weight }
        let control = experiment.arms.firstIndex { $0.kind == .heldOut }
            ?? experiment.arms.firstIndex { $0.weight > 0 }
        return experiment.arms.enumerated().map { number, arm in
            let successes = min(sums[number].successes, subjects.counts[number])
            var moments = sums[number].moments
            moments.merge(Moments(count: max(0, subjects.counts[number] - moments.count)))
            return ArmResult(
                kind: arm.kind,
                share: total == 0 ? 0 : Double(arm.weight) / Double(total),
                subjects: subjects.counts[number],
                requests: tally.areRequestsDropped ? nil : tally.requests[number],
                successes: successes,
                sum: sums[number].sum,
                moments: moments,
                isControl: number == control
            )
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
        guard ordered.count > 1, ordered.contains(where: { all[$0].subjects > 0 }) else { return nil }
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
        self.init(
            evaluation: Evaluation(
                ordered.map { all[$0].arm(of: plan.measure) },
                design: design
            ),
            arms: ordered,
            omitsHoldOut: isDelivery && hasHoldOut
        )
    }
}

extension ArmResult {
    fileprivate func arm(of measure: ResultPlan.Measure) -> Arm {
        switch measure {
        case .share: Arm(.proportion(successes: successes, subjects: subjects))
        case .mean: Arm(.mean(moments))
        }
    }
}
