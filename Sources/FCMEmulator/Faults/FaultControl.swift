import FCMDelivery
import FCMWire

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

/// `/emulator/v1/faults`.
extension FaultPlan {
    /// Decides on a request that changes the script: PUT replaces it, DELETE takes the rules away
    /// and leaves the seed.
    func decide(_ request: EmulatorRequest, at now: DeliveryMoment) -> Decision {
        let script: FaultScript
        if request.method == "PUT" {
            do throws(GoogleError) {
                script = try FaultScript(request.json)
            } catch {
                return Decision(answer: error.answer)
            }
        } else {
            script = FaultScript(rules: [])
        }
        let next = FaultPlan(script, after: self, at: now)
        return Decision(answer: .success(next.json), effect: .setFaults(script))
    }

    mutating func perform(_ outcome: EmulatorOutcome, at now: DeliveryMoment) {
        guard case .setFaults(let script) = outcome.effect else { return }
        self = FaultPlan(script, after: self, at: now)
    }

    /// What comes out of a request after the faults that it runs into.
    mutating func outcome(
        of decision: Decision,
        _ request: EmulatorRequest,
        _ model: DeliveryModel,
        at now: DeliveryMoment
    ) -> EmulatorOutcome {
        guard !isEmpty, let subject = FaultSubject(request),
            let fired = judge(subject, model, at: now)
        else { return EmulatorOutcome(answer: decision.answer.rendered, effect: decision.effect) }
        return fired.outcome(of: decision, subject, at: now)
    }
}
