package import DeliveryModel
import EmulatorAuth

/// The state that the log can restore.
package struct EmulatorState: Sendable {
    package var model = DeliveryBackend()
    package var clock: EmulatorClock
    var faults = FaultPlan()
    var authority = Authority()
    let routes: RouteTable
    /// A random number that identifies this run of the emulator.
    package let era = UInt64.random(in: 0...UInt64.max / 2)
    var sendQuota = SendQuota()
    var fingerprints = FingerprintTable()
    /// The model's time, which never decreases even if the clock does.
    package private(set) var latest = DeliveryMoment(milliseconds: 0)

    init(
        routes: RouteTable = .api,
        system: @escaping @Sendable () -> DeliveryMoment
    ) {
        self.routes = routes
        clock = EmulatorClock(system: system)
    }

    /// Creates the empty state of another project in the same emulator.
    init(nextTo other: EmulatorState) {
        routes = other.routes
        clock = other.clock.restarted
        model.limits = other.model.limits
    }

    mutating func lookAtClock() {
        latest = max(latest, clock.reading)
        model.advance(to: latest)
    }

    /// Freezes the clock at a time, or at the model's time if that is later.
    mutating func freeze(at moment: DeliveryMoment?) {
        if moment == nil { lookAtClock() }
        let start = max(latest, moment ?? latest)
        clock.set(EmulatorClock.Setting(mode: .frozen, start: start))
    }

    /// Decides a request without changing the state, because unrecorded changes must not happen.
    func decide(_ request: EmulatorRequest, match: RouteMatch, sequence: Int) -> Decision {
        if request.isForeign { return Decision(answer: GoogleError.foreignPage.answer) }
        if case .served(.control(.setClock)) = match, !request.isTooLarge {
            return clock.decide(request, at: latest)
        }
        if let decision = decideFaults(request, match: match) { return decision }
        if let decision = authority.decide(request, match: match, at: latest) { return decision }
        let admitted = authority.admitting(request, match: match, at: latest) ?? request
        let decision = model.decide(admitted, match: match, sequence: sequence, at: latest)
        return refusal(for: decision, match: match) ?? decision
    }

    mutating func perform(_ effect: Effect) {
        if case .control(.setClock(let setting)) = effect {
            clock.set(setting)
            latest = max(latest, setting.start)
            model.advance(to: latest)
        } else if case .control(.setFaults(let script)) = effect {
            faults = FaultPlan(script, after: faults, at: latest)
        } else if case .authority(let change) = effect {
            authority.perform(change, at: TokenTime(latest))
        } else {
            model.perform(effect, at: latest)
        }
    }

    /// Performs a recorded request again; returns false if a request that succeeded is now refused.
    mutating func replay(_ logged: LoggedRequest) -> Bool {
        latest = max(latest, logged.moment)
        model.advance(to: latest)
        countFault(of: logged.request)
        guard logged.wasPerformed else { return true }
        let path = RequestTarget(logged.request.target).path
        let match = routes.match(logged.request.method, path: path)
        if authority.replay(logged, match: match, at: TokenTime(latest)) { return true }
        let decision = decide(logged.request, match: match, sequence: logged.sequence)
        perform(EmulatorOutcome(replaying: decision, logged: logged))
        return decision.answer.status == 200
    }
}
