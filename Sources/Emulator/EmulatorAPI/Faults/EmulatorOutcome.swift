import DeliveryModel

/// The outcome of a request.
struct EmulatorOutcome {
    var answer: RenderedAnswer
    var effect = Effect.nothing
    var isRepeated = false
}

extension EmulatorOutcome {
    /// Derives the outcome of a recorded request from its decision and from the recorded fault.
    init(replaying decision: Decision, logged: LoggedRequest) {
        answer = decision.answer.rendered
        effect = decision.effect
        isRepeated = logged.fault == .performedTwice
        if case .performedExcept(let indices)? = logged.fault,
            let subject = FaultSubject(logged.request)
        {
            let all = subject.registrations
            effect = effect.without(Set(indices.filter(all.indices.contains).map { all[$0] }))
        }
    }
}

extension LoggedRequest {
    /// Whether the request took effect, according to its fault or, without a fault, its answer.
    var wasPerformed: Bool { fault.map { $0 != .withheld } ?? (status == 200) }
}

extension Effect {
    /// Returns the effect without the memberships of these registrations.
    func without(_ registrations: Set<String>) -> Effect {
        switch self {
        case .subscribe(let all, let topic):
            .subscribe(all.filter { !registrations.contains($0.text) }, topic)
        case .unsubscribe(let all, let topic):
            .unsubscribe(all.filter { !registrations.contains($0.text) }, topic)
        case .nothing, .deliver, .group, .control, .authority: self
        }
    }
}
