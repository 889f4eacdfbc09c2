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
        logger: Logger,
        clock: @escaping @Sendable () -> DeliveryMoment
    ) throws(EmulatorError) {
        var model = DeliveryModel()
        var authority = authority
        var latest = DeliveryMoment(milliseconds: 0)
        log = try RequestLog.reopened(at: path) { logged in
            latest = max(latest, logged.moment)
            guard logged.status == 200 else { return }
            if authority.replay(logged, at: latest) { return }
            let route = Route(path: RequestTarget(logged.request.target).path)
            let decision = model.decide(logged.request, route, sequence: logged.sequence)
            if decision.answer.status != 200 {
                logger.warning(
                    "a recorded request is refused now and left out",
                    metadata: ["seq": "\(logged.sequence)"]
                )
            }
            model.perform(decision.effect, at: latest)
        }
        self.model = model
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
        return record(
            request,
            authority.decide(request, route, at: latest)
                ?? model.decide(
                    authority.admitting(request, route, at: latest),
                    route,
                    sequence: log.lastSequence + 1
                )
        )
    }

    /// Makes service accounts known that the log doesn't know.
    mutating func register(_ files: [ServiceAccountFile]) throws(EmulatorError) {
        for file in files where !(try file.isKnown(to: authority)) {
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
        let answer = decision.answer.rendered
        do throws(RequestLog.Failure) {
            let record = decision.record(of: request)
            try log.append(
                record.request,
                answer: record.answer ?? answer.bytes,
                status: answer.status,
                at: latest
            )
        } catch {
            switch error {
            case .unwritable(let number):
                let reason = String(cString: strerror(number))
                return GoogleError.logUnwritable(reason: reason).answer.rendered
            }
        }
        model.perform(decision.effect, at: latest)
        if case .authority(let change) = decision.effect { authority.perform(change, at: latest) }
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
