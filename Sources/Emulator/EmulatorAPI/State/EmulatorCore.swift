import DeliveryModel
import EmulatorAuth
import JSON
import SystemIO

/// The model and its request log.
///
/// Each request is decided, recorded, performed and answered, in this order. Sends that arrive
/// together are performed first and then written together; if the write fails, they are undone.
package struct EmulatorCore: ~Copyable {
    package var state: EmulatorState
    package private(set) var log: RequestLog
    /// The number of the next answer.
    private var ticket = 0
    /// The answers whose requests wait for the next write.
    private var waiting = 0..<0
    private var lost: UnrecordedAnswers?
    private var lastToldSequence = 0
    /// Whether every request is written separately, because the last write failed.
    private var isCareful = false
    /// Maximum number of bytes that wait for the next write.
    private static let waitingBytes = 1_048_576

    init(log: consuming RequestLog, clock: @escaping @Sendable () -> DeliveryMoment) {
        self.log = log
        state = EmulatorState(system: clock)
    }

    /// Restores the devices and their inboxes from the log at `path`.
    ///
    /// `skip` is called with the number of each recorded request that is now refused.
    init(
        logPath path: String,
        limits: DeliveryLimits = DeliveryLimits(),
        authority: Authority = Authority(),
        routes: RouteTable = .api,
        skip: (_ sequence: Int) -> Void = { _ in },
        clock: @escaping @Sendable () -> DeliveryMoment
    ) throws(EmulatorError) {
        var state = EmulatorState(routes: routes, system: clock)
        state.authority = authority
        // The current token requirement does not apply to earlier requests.
        state.authority.requiresTokens = false
        // Accepted requests stay accepted, regardless of the current limits.
        state.model.limits = .none
        log = try RequestLog.reopened(at: path) { logged in
            let isTaken = state.replay(logged)
            if !isTaken { skip(logged.sequence) }
        }
        state.clock.resume(at: state.latest)
        state.model.limits = limits
        state.authority.requiresTokens = authority.requiresTokens
        self.state = state
    }

    /// Answers a request after recording its effect.
    mutating func handle(_ request: EmulatorRequest) -> RenderedAnswer {
        let answer = take(request).completed
        return settle()?.replacing(answer) ?? answer
    }

    /// Answers a request; its effect is not recorded before the next call of `settle`.
    package mutating func take(_ request: EmulatorRequest) -> RenderedAnswer {
        state.lookAtClock()
        let match = self.match(of: request)
        var answer: RenderedAnswer
        if case .served(.send) = match, !isCareful {
            answer = enter(request, match: match)
        } else {
            writeWaiting()
            if case .served(.look(let look)) = match, !request.isTooLarge,
                !request.isForeign
            {
                answer = self.answer(to: look, for: request)
            } else {
                answer = record(request, match: match)
            }
        }
        answer.ticket = ticket
        ticket += 1
        return answer
    }

    /// Matches a request; the metadata server shares its path with the page and is recognized by
    /// its header.
    private func match(of request: EmulatorRequest) -> RouteMatch {
        let path = RequestTarget(request.target).path
        if request.metadataFlavor != nil, request.method == "GET", path == "/" {
            return .served(.oauth(.metadata(path: nil)))
        }
        return state.routes.match(request.method, path: path)
    }

    /// Returns whether anything was recorded since the previous call.
    package mutating func takeNews() -> Bool {
        defer { lastToldSequence = log.lastSequence }
        return lastToldSequence != log.lastSequence
    }

    /// Writes the waiting requests and returns the answers whose write failed.
    package mutating func settle() -> UnrecordedAnswers? {
        writeWaiting()
        return lost
    }

    /// Sets the clock as configured, unless it is already so.
    mutating func begin(_ start: EmulatorClockStart) throws(EmulatorError) {
        switch (start, state.clock.mode) {
        case (.real, .real): return
        case (.real, _): try make(clock: ["mode": "real"])
        case (.virtual(let moment), let mode):
            if mode == .frozen, moment.map({ $0 <= state.latest }) ?? true { return }
            state.freeze(at: moment)
            try make(clock: ["mode": "frozen"])
        }
    }

    private mutating func make(clock: JSONValue) throws(EmulatorError) {
        try succeed("PUT", at: "/emulator/v1/clock", with: clock)
    }

    private mutating func succeed(
        _ method: String,
        at target: String,
        with body: JSONValue
    ) throws(EmulatorError) {
        let answer = handle(
            EmulatorRequest(method: method, target: target, body: body.compactBytes)
        )
        guard answer.status == 200 else {
            throw .directoryUnusable(reason: String(decoding: answer.bytes, as: UTF8.self))
        }
    }

    /// Sets the behaviour of FCM and the devices.
    mutating func set(_ options: DeliveryOptions) throws(EmulatorError) {
        guard options != state.model.options else { return }
        try succeed("PUT", at: "/emulator/v1/delivery-options", with: .object(options.json))
    }

    /// Registers the configured service accounts that the log does not contain.
    mutating func register(_ files: [ServiceAccountFile]) throws(EmulatorError) {
        for file in files where !(try file.isKnown(to: state.authority)) {
            let answer = handle(file.registration)
            guard answer.status == 200 else {
                throw .directoryUnusable(reason: String(decoding: answer.bytes, as: UTF8.self))
            }
        }
    }

    /// Adds the configured devices that the log does not contain.
    mutating func seed(_ devices: [DeviceSpecification]) throws(EmulatorError) {
        guard !state.model.knows(devices) else { return }
        do throws(SeedingFailure) {
            try state.model.checkSeeding(of: devices)
        } catch {
            switch error {
            case .registrationTaken(let device, let owner):
                throw .registrationTaken(device: device, by: owner)
            case .tooManyTopics(let device):
                throw .tooManyTopics(device: device)
            }
        }
        try succeed("POST", at: "/emulator/v1/devices", with: .array(devices.map(\.json)))
    }

    /// Sets the fault script of this run, or removes that of the previous run.
    mutating func setFaults(_ script: JSONValue?) throws(EmulatorError) {
        guard script != nil || !state.faults.isEmpty || state.faults.seed != 0 else { return }
        var script = script ?? [:]
        if var object = script.objectValue, object["seed"] == nil {
            object["seed"] = 0
            script = .object(object)
        }
        let answer = handle(
            EmulatorRequest(
                method: "PUT",
                target: "/emulator/v1/faults",
                body: script.compactBytes
            )
        )
        guard answer.status == 200 else {
            throw .faultsRefused(FieldViolation.texts(in: answer))
        }
    }

    private mutating func record(
        _ request: EmulatorRequest,
        match: RouteMatch
    ) -> RenderedAnswer {
        let decision = state.decide(request, match: match, sequence: log.lastSequence + 1)
        state.faults.keepCounts()
        let outcome = state.outcome(of: decision, for: request)
        do throws(RequestLog.Failure) {
            let record = decision.record(of: request)
            log.enter(record.request, answer: outcome.answer, as: record.answer, at: state.latest)
            try log.commit()
            isCareful = false
        } catch {
            state.faults.takeBack()
            return error.answer
        }
        state.perform(outcome)
        state.countSend(match, answered: outcome.answer.status)
        return outcome.answer
    }

    private mutating func enter(
        _ request: EmulatorRequest,
        match: RouteMatch
    ) -> RenderedAnswer {
        let decision = state.decide(request, match: match, sequence: log.lastSequence + 1)
        let outcome = state.outcome(of: decision, for: request)
        if waiting.isEmpty { waiting = ticket..<ticket }
        waiting = waiting.lowerBound..<ticket + 1
        if decision.standsAsItCame(request) {
            log.enter(request, answer: outcome.answer, at: state.latest)
        } else {
            let record = decision.record(of: request)
            log.enter(record.request, answer: outcome.answer, as: record.answer, at: state.latest)
        }
        state.perform(outcome)
        state.countSend(match, answered: outcome.answer.status)
        if log.waitingBytes > Self.waitingBytes { writeWaiting() }
        return outcome.answer
    }

    private mutating func writeWaiting() {
        guard !waiting.isEmpty else { return }
        do throws(RequestLog.Failure) {
            try log.commit()
        } catch {
            lost = UnrecordedAnswers(tickets: waiting, answer: error.answer)
            isCareful = true
            takeBackSends()
        }
        waiting = 0..<0
    }

    /// Rebuilds the devices from the log.
    ///
    /// Apart from devices, a send changes only the counts of fault rules.
    private mutating func takeBackSends() {
        var past = EmulatorState(routes: state.routes) { DeliveryMoment(milliseconds: 0) }
        past.model.limits = .none
        let isRead = log.lines?.forEach(after: 0) { line in
            if let logged = LoggedRequest(line: line.bytes) { _ = past.replay(logged) }
            return true
        }
        if isRead != true { log.refuseAll() }
        past.model.limits = state.model.limits
        state.model = past.model
        state.faults = past.faults
    }
}

extension RequestLog.Failure {
    fileprivate var answer: RenderedAnswer {
        switch self {
        case .unwritable(let error):
            GoogleError.logUnwritable(reason: error.reason).answer.rendered
        }
    }
}

extension EmulatorAnswer {
    package var rendered: RenderedAnswer {
        var answer = RenderedAnswer(
            status: status,
            bytes: body.compactBytes,
            allowedMethods: allowedMethods,
            headers: headers
        )
        if let contentType, let text = body.stringValue {
            answer.bytes = Array(text.utf8)
            answer.contentType = contentType
        }
        return answer
    }
}
