import FCMDelivery
import FCMWire
import Logging

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The model and its record.
///
/// A request is decided on, recorded, performed, answered, in this order.
struct EmulatorCore: ~Copyable {
    var state: EmulatorState
    private(set) var log: RequestLog

    init(log: consuming RequestLog, clock: @escaping @Sendable () -> DeliveryMoment) {
        self.log = log
        state = EmulatorState(system: clock)
    }

    /// Restores the devices and their inboxes from the log at `path`.
    init(
        logPath path: String,
        limits: DeliveryLimits = DeliveryLimits(),
        authority: Authority = Authority(),
        logger: Logger,
        clock: @escaping @Sendable () -> DeliveryMoment
    ) throws(EmulatorError) {
        var state = EmulatorState(system: clock)
        state.authority = authority
        // Nor does what is required of tokens now say anything of the requests of then.
        state.authority.requiresTokens = false
        // What was taken on once stays so, whatever the limits are now.
        state.model.limits = .none
        log = try RequestLog.reopened(at: path) { logged in
            let isTaken = state.replay(logged)
            if !isTaken {
                logger.warning(
                    "a recorded request is refused now and left out",
                    metadata: ["seq": "\(logged.sequence)"]
                )
            }
        }
        state.clock.resume(at: state.latest)
        state.model.limits = limits
        state.authority.requiresTokens = authority.requiresTokens
        self.state = state
    }

    mutating func handle(_ request: EmulatorRequest) -> RenderedAnswer {
        state.lookAtClock()
        let target = RequestTarget(request.target)
        let match = RouteTable.served.match(request.method, target.path)
        if case .served(.look(let look)) = match, !request.isTooLarge {
            return answer(to: look, target)
        }
        return record(
            request,
            state.decide(request, match, sequence: log.lastSequence + 1)
        )
    }

    /// Makes the clock what is asked for, unless it is that already.
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
        try succeed("PUT", "/emulator/v1/clock", clock)
    }

    private mutating func succeed(
        _ method: String,
        _ target: String,
        _ body: JSONValue
    ) throws(EmulatorError) {
        let answer = handle(
            EmulatorRequest(method: method, target: target, body: body.compactBytes)
        )
        guard answer.status == 200 else {
            throw .directoryUnusable(reason: String(decoding: answer.bytes, as: UTF8.self))
        }
    }

    /// Makes service accounts known that the log doesn't know.
    mutating func register(_ files: [ServiceAccountFile]) throws(EmulatorError) {
        for file in files where !(try file.isKnown(to: state.authority)) {
            let answer = handle(file.registration)
            guard answer.status == 200 else {
                throw .directoryUnusable(reason: String(decoding: answer.bytes, as: UTF8.self))
            }
        }
    }

    /// Adds the configured devices that the log doesn't know.
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
        try succeed("POST", "/emulator/v1/devices", .array(devices.map(\.json)))
    }

    /// Puts a script in force for this run, or takes away that of the run before.
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

    private mutating func record(_ request: EmulatorRequest, _ decision: Decision) -> RenderedAnswer
    {
        let former = state.faults
        let outcome = state.outcome(of: decision, request)
        let answer = outcome.answer
        do throws(RequestLog.Failure) {
            let record = decision.record(of: request)
            try log.append(record.request, answer: answer, as: record.answer, at: state.latest)
        } catch {
            state.faults = former
            switch error {
            case .unwritable(let number):
                let reason = String(cString: strerror(number))
                return GoogleError.logUnwritable(reason: reason).answer.rendered
            }
        }
        state.perform(outcome)
        return answer
    }
}

extension EmulatorAnswer {
    var rendered: RenderedAnswer {
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
