import DeliveryModel
import JSON

/// Fault scripts in the recorded state.
extension EmulatorState {
    /// Decides a change of the script: PUT replaces it, and DELETE removes the rules but keeps the
    /// seed.
    ///
    /// Returns nil for all other requests.
    func decideFaults(_ request: EmulatorRequest, match: RouteMatch) -> Decision? {
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

    /// Applies the fault that matches a request, if any, to its decision.
    mutating func outcome(of decision: Decision, for request: EmulatorRequest) -> EmulatorOutcome {
        guard !faults.isEmpty, let subject = FaultSubject(request),
            let fired = faults.judge(subject, in: model, at: latest)
        else { return EmulatorOutcome(answer: decision.answer.rendered, effect: decision.effect) }
        return fired.outcome(of: decision, for: subject, at: latest)
    }

    /// Counts a replayed request; the log has the fault that it received.
    mutating func countFault(of request: EmulatorRequest) {
        guard !faults.isEmpty, let subject = FaultSubject(request) else { return }
        _ = faults.judge(subject, in: model, at: latest)
    }

    mutating func perform(_ outcome: EmulatorOutcome) {
        perform(outcome.effect)
        guard outcome.isRepeated, case .deliver(let message, let target, let id) = outcome.effect
        else { return }
        model.deliverAgain(message, id: id, for: target, at: latest)
    }
}

extension FieldViolation {
    /// Returns the violations of an answer, one line per violation.
    static func texts(in answer: RenderedAnswer) -> [String] {
        let details = JSONValue(parsing: answer.bytes)?["error"]?["details"]?.arrayValue ?? []
        return details.flatMap { $0["fieldViolations"]?.arrayValue ?? [] }.map { violation in
            let text = violation["description"]?.stringValue ?? ""
            return violation["field"]?.stringValue.map { "\($0): \(text)" } ?? text
        }
    }
}
