import DeliveryModel
import FCMWire
import JSON
import Logging

import Glibc

/// The model and its record.
///
/// A request is decided on, recorded, performed, answered, in this order. Sends that come together
/// are written down together: they are performed before that, and taken back where it fails.
struct EmulatorCore: ~Copyable {
    var state: EmulatorState
    private(set) var log: RequestLog
    /// The number of the next answer.
    private var ticket = 0
    /// The answers whose requests wait to be written down.
    private var waiting = 0..<0
    private var lost: LostAnswers?
    private var lastToldSequence = 0
    /// Every request is written down by itself: the last attempt failed.
    private var isCareful = false
    /// More than this is written at once.
    private static let waitingBytes = 1_048_576

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

    /// Answers a request; its effect is on record.
    mutating func handle(_ request: EmulatorRequest) -> RenderedAnswer {
        let answer = take(request).completed
        return settle()?.replacing(answer) ?? answer
    }

    /// Answers a request; its effect is on record once `settle` was called.
    mutating func take(_ request: EmulatorRequest) -> RenderedAnswer {
        state.lookAtClock()
        let match = self.match(of: request)
        var answer: RenderedAnswer
        if case .served(.send) = match, !isCareful {
            answer = enter(request, match)
        } else {
            writeWaiting()
            if case .served(.look(let look)) = match, !request.isTooLarge,
                !request.isForeign(to: match)
            {
                answer = self.answer(to: look, request)
            } else {
                answer = record(request, match)
            }
        }
        answer.ticket = ticket
        ticket += 1
        return answer
    }

    /// A metadata server is asked for by its header, at the page's own path.
    private func match(of request: EmulatorRequest) -> RouteMatch {
        let match = RouteTable.served.match(request.method, RequestTarget(request.target).path)
        if case .served(.look(.page(.document))) = match, request.metadataFlavor != nil {
            return .served(.oauth(.metadata(path: nil)))
        }
        return match
    }

    /// Whether something was written down since this was asked last.
    mutating func takeNews() -> Bool {
        defer { lastToldSequence = log.lastSequence }
        return lastToldSequence != log.lastSequence
    }

    /// Writes down what waits for it, and names the answers for which that failed.
    mutating func settle() -> LostAnswers? {
        writeWaiting()
        return lost
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

    /// Makes FCM and the devices behave so.
    mutating func set(_ options: DeliveryOptions) throws(EmulatorError) {
        guard options != state.model.options else { return }
        try succeed("PUT", "/emulator/v1/delivery-options", .object(options.json))
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

    private mutating func record(
        _ request: EmulatorRequest,
        _ match: RouteMatch
    ) -> RenderedAnswer {
        let decision = state.decide(request, match, sequence: log.lastSequence + 1)
        state.faults.keepCounts()
        let outcome = state.outcome(of: decision, request)
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
        _ match: RouteMatch
    ) -> RenderedAnswer {
        let decision = state.decide(request, match, sequence: log.lastSequence + 1)
        let outcome = state.outcome(of: decision, request)
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
            lost = LostAnswers(tickets: waiting, answer: error.answer)
            isCareful = true
            takeBackSends()
        }
        waiting = 0..<0
    }

    /// Makes of the devices what the log says of them: a send changes nothing else but what the
    /// rules of a script have counted.
    private mutating func takeBackSends() {
        var past = EmulatorState { DeliveryMoment(milliseconds: 0) }
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
        case .unwritable(let number):
            GoogleError.logUnwritable(reason: String(cString: strerror(number))).answer.rendered
        }
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
