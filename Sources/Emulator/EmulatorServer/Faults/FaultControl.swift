import DeliveryModel
import FCMWire
import JSON

/// The faults among what the log is the memory of.
extension EmulatorState {
    /// Decides on a change of the script: PUT replaces it, DELETE takes the rules away and leaves
    /// the seed.
    ///
    /// Nil for every other request.
    func decideFaults(_ request: EmulatorRequest, _ match: RouteMatch) -> Decision? {
        guard !request.isTooLarge, case .served(.control(let control)) = match else { return nil }
        var script = FaultScript(rules: [])
        switch control {
        case .clearFaults: break
        case .setFaults:
            do throws(GoogleError) {
                script = try FaultScript(request.json)
            } catch {
                return Decision(answer: error.answer)
            }
        default: return nil
        }
        let next = FaultPlan(script, after: faults, at: latest)
        return Decision(answer: .success(next.json), effect: .control(.setFaults(script)))
    }

    /// What comes out of a request after the faults that it runs into.
    mutating func outcome(of decision: Decision, _ request: EmulatorRequest) -> EmulatorOutcome {
        guard !faults.isEmpty, let subject = FaultSubject(request),
            let fired = faults.judge(subject, model, at: latest)
        else { return EmulatorOutcome(answer: decision.answer.rendered, effect: decision.effect) }
        return fired.outcome(of: decision, subject, at: latest)
    }

    /// Counts a request that is replayed: what was done to it stands in the log.
    mutating func countFault(of request: EmulatorRequest) {
        guard !faults.isEmpty, let subject = FaultSubject(request) else { return }
        _ = faults.judge(subject, model, at: latest)
    }

    mutating func perform(_ outcome: EmulatorOutcome) {
        perform(outcome.effect)
        guard outcome.isRepeated, case .deliver(let message, let target, let id) = outcome.effect
        else { return }
        model.deliverAgain(message, id: id, for: target, at: latest)
    }
}

extension FieldViolation {
    /// The violations in an answer, each as one line of text.
    static func texts(in answer: RenderedAnswer) -> [String] {
        let details = JSONValue(parsing: answer.bytes)?["error"]?["details"]?.arrayValue ?? []
        return details.flatMap { $0["fieldViolations"]?.arrayValue ?? [] }.map { violation in
            let text = violation["description"]?.stringValue ?? ""
            return violation["field"]?.stringValue.map { "\($0): \(text)" } ?? text
        }
    }
}
