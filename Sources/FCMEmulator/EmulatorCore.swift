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
    private var model = DeliveryModel()
    private var faults = FaultPlan()
    private var authority = Authority()
    private var log: RequestLog
    private let clock: @Sendable () -> DeliveryMoment
    /// The model's time never goes backwards, whatever the clock does.
    private var latest = DeliveryMoment(milliseconds: 0)

    init(log: consuming RequestLog, clock: @escaping @Sendable () -> DeliveryMoment) {
        self.log = log
        self.clock = clock
    }

    /// Restores the devices and their inboxes from the log at `path`.
    init(
        logPath path: String,
        authority: Authority = Authority(),
        limits: DeliveryLimits = DeliveryLimits(),
        logger: Logger,
        clock: @escaping @Sendable () -> DeliveryMoment
    ) throws(EmulatorError) {
        var model = DeliveryModel()
        var faults = FaultPlan()
        var authority = authority
        // What was taken on once stays so, whatever the limits are now.
        model.limits = .none
        var latest = DeliveryMoment(milliseconds: 0)
        log = try RequestLog.reopened(at: path) { logged in
            latest = max(latest, logged.moment)
            if !faults.isEmpty, let subject = FaultSubject(logged.request) {
                _ = faults.judge(subject, model, at: latest)
            }
            guard logged.wasPerformed else { return }
            if authority.replay(logged, at: latest) { return }
            let route = Route(path: RequestTarget(logged.request.target).path)
            var decision = model.decide(
                logged.request,
                route,
                sequence: logged.sequence,
                at: latest
            )
            if route == .faults { decision = faults.decide(logged.request, at: latest) }
            if decision.answer.status != 200 {
                logger.warning(
                    "a recorded request is refused now and left out",
                    metadata: ["seq": "\(logged.sequence)"]
                )
            }
            let outcome = EmulatorOutcome(replaying: decision, logged)
            model.perform(outcome, at: latest)
            faults.perform(outcome, at: latest)
        }
        model.limits = limits
        self.model = model
        self.faults = faults
        self.authority = authority
        self.latest = latest
        self.clock = clock
    }

    mutating func handle(_ request: EmulatorRequest) -> RenderedAnswer {
        latest = max(latest, clock())
        let target = RequestTarget(request.target)
        let route = Route(path: target.path)
        if request.method == "GET", !request.isTooLarge, let route, route.isControl,
            route.methods.contains("GET")
        {
            return look(at: route, target)
        }
        var decision =
            authority.decide(request, route, at: latest)
            ?? model.decide(request, route, sequence: log.lastSequence + 1, at: latest)
        if route == .faults, decision.answer.status == 200 {
            decision = faults.decide(request, at: latest)
        }
        return record(request, decision)
    }

    /// Puts a script in force for this run, or takes away that of the run before.
    mutating func setFaults(_ script: JSONValue?) throws(EmulatorError) {
        guard script != nil || !faults.isEmpty || faults.seed != 0 else { return }
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

    /// Makes service accounts known that the log doesn't know.
    mutating func register(_ files: [ServiceAccountFile]) throws(EmulatorError) {
        for file in files {
            guard !(try file.isKnown(to: authority)) else { continue }
            let answer = handle(file.registration)
            guard answer.status == 200 else {
                throw .directoryUnusable(reason: String(decoding: answer.bytes, as: UTF8.self))
            }
        }
    }

    /// Adds the configured devices that the log doesn't know.
    mutating func seed(_ devices: [DeviceSpecification]) throws(EmulatorError) {
        guard !model.knows(devices) else { return }
        do throws(SeedingFailure) {
            try model.checkSeeding(of: devices)
        } catch {
            switch error {
            case .registrationTaken(let device, let owner):
                throw .registrationTaken(device: device, by: owner)
            }
        }
        let answer = handle(
            EmulatorRequest(
                method: "POST",
                target: "/emulator/v1/devices",
                body: JSONValue.array(devices.map(\.json)).compactBytes
            )
        )
        guard answer.status == 200 else {
            throw .directoryUnusable(reason: String(decoding: answer.bytes, as: UTF8.self))
        }
    }

    private mutating func record(_ request: EmulatorRequest, _ decision: Decision) -> RenderedAnswer
    {
        let former = faults
        let outcome = faults.outcome(of: decision, request, model, at: latest)
        let answer = outcome.answer
        do throws(RequestLog.Failure) {
            let record = decision.record(of: request)
            let isOwnAnswer = answer.fault == nil || answer.bytes == decision.answer.rendered.bytes
            try log.append(
                record.request,
                answer: answer,
                writtenAs: isOwnAnswer ? record.answer : nil,
                at: latest
            )
        } catch {
            faults = former
            switch error {
            case .unwritable(let number):
                let reason = String(cString: strerror(number))
                return GoogleError.logUnwritable(reason: reason).answer.rendered
            }
        }
        model.perform(outcome, at: latest)
        faults.perform(outcome, at: latest)
        if case .authority(let change) = outcome.effect { authority.perform(change, at: latest) }
        return answer
    }

    /// Answers what the emulator is asked about itself; none of it is recorded.
    private mutating func look(at route: Route, _ target: RequestTarget) -> RenderedAnswer {
        switch route {
        case .health:
            return EmulatorAnswer.success(["status": "ok", "pid": .integer(Int64(getpid()))])
                .rendered
        case .devices:
            let devices = model.devices.map(\.json)
            return EmulatorAnswer.success(["devices": .array(devices)]).rendered
        case .faults:
            return EmulatorAnswer.success(faults.json).rendered
        case .inboxes:
            let inboxes = model.inboxes(at: latest).map(\.json)
            return EmulatorAnswer.success(["devices": .array(inboxes)]).rendered
        case .authority(let place):
            return EmulatorAnswer.success(authority.view(place)).rendered
        default:
            return requests(after: target.parameter("after"))
        }
    }

    private func requests(after text: String?) -> RenderedAnswer {
        guard let after = text.map({ Int($0) }) ?? 0 else {
            let violation = FieldViolation(field: "after", description: "after is not a number.")
            return GoogleError.malformedRequest([violation]).answer.rendered
        }
        guard let elements = log.elements(after: after) else {
            return GoogleError.logUnwritable(reason: "it cannot be read").answer.rendered
        }
        let end = "],\"last\":\(log.lastSequence)}"
        return RenderedAnswer(
            status: 200,
            bytes: Array("{\"requests\":[".utf8) + elements + Array(end.utf8)
        )
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
