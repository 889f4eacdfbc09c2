import DeliveryModel

/// What becomes of a request.
struct EmulatorOutcome {
    var answer: RenderedAnswer
    var effect = Effect.nothing
    var isRepeated = false
}

extension EmulatorOutcome {
    /// What was made of a recorded request, by its decision and what its line says of a fault.
    init(replaying decision: Decision, _ logged: LoggedRequest) {
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
    /// Whether the request did its work: its answer says so, or the fault that took its place.
    var wasPerformed: Bool { fault.map { $0 != .withheld } ?? (status == 200) }
}

extension Effect {
    /// The same without these registrations' memberships.
    func without(_ registrations: Set<String>) -> Effect {
        switch self {
        case .subscribe(let all, let topic):
            .subscribe(all.filter { !registrations.contains($0.text) }, topic)
        case .unsubscribe(let all, let topic):
            .unsubscribe(all.filter { !registrations.contains($0.text) }, topic)
        default: self
        }
    }
}
