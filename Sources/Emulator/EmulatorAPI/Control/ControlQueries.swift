import DeliveryModel
import JSON
import SystemIO

/// Answers to queries of the emulator's own state.
extension EmulatorCore {
    mutating func answer(to look: ControlQuery, for request: EmulatorRequest) -> RenderedAnswer {
        let target = RequestTarget(request.target)
        do throws(GoogleError) {
            if case .page(let query) = look { return try query.answer(request, self) }
            switch look {
            case .wait:
                let wait = try Expectation(waitAt: target, in: projects.currentID)
                return try answer(to: wait, isWait: true, for: request)
            case .assert:
                let claim = try Expectation(assertAt: target, in: projects.currentID)
                return try answer(to: claim, isWait: false, for: request)
            default: break
            }
            if let record = try RequestLogQuery(
                look,
                for: target,
                in: projects.currentID
            ) {
                guard let lines = log.lines else { throw .logUnreadable }
                var answer = RenderedAnswer(status: 200, bytes: [])
                let whole = completed(record)
                answer.completion = { whole.answer(from: lines) }
                return answer
            }
            return EmulatorAnswer.success(.object(try view(of: look, for: target))).rendered
        } catch {
            return error.answer.rendered
        }
    }

    private mutating func view(
        of look: ControlQuery,
        for target: RequestTarget
    ) throws(GoogleError) -> JSONObject {
        switch look {
        case .projects: return try projectList(target)
        case .searchDevices: return try DeviceSearch(target).answer(in: &state)
        case .searchMessages: return try MessageSearch(target).answer(in: &state).object
        case .devices:
            return try Page(target).answer("devices", of: state.model.devices) { $1.json }
        case .device(let name): return try device(name, for: target).json.objectValue ?? [:]
        case .deviceLog(let name):
            let device = try device(name, for: target)
            let log = state.model.log(of: name) ?? DeviceLog(forgotten: 0, events: [])
            return try Page(target).answer("events", of: log.events, after: log.forgotten) {
                $1.json($0, on: device)
            }
        case .inbox(let name): return try inbox(of: name, for: target)
        case .inboxes:
            let inboxes = state.model.inboxes(at: state.latest)
            return try Page(target).answer("devices", of: inboxes) { $1.json }
        case .memberships: return try memberships(target)
        case .messages:
            return try MessagesQuestion(target)
                .answer(from: state.model.inboxes(at: state.latest))
        case .upstream: return upstreamCounts
        case .upstreamMessages(let name):
            return try state.model.upstreamView(of: try device(name, for: target), on: target)
        case .clock: return state.clock.mode.json(at: state.latest).objectValue ?? [:]
        case .snapshot:
            let devices = state.model.snapshot(at: state.latest).map(\.json)
            let fanOuts = state.model.fanOutSnapshot().map(\.json)
            return [
                "version": 1, "devices": .array(devices), "fan_outs": .array(fanOuts),
            ]
        case .delivery: return state.model.options.json
        case .faults: return state.faults.json.objectValue ?? [:]
        case .authority(let place): return try state.authority.view(of: place, for: target)
        case .health, .requests, .request, .searchRequests, .counters, .counter, .page, .wait,
            .assert:
            return ["status": "ok", "pid": .integer(Int64(CurrentProcess.id))]
        }
    }

    private func device(
        _ name: String,
        for target: RequestTarget
    ) throws(GoogleError) -> Device {
        guard let device = state.model.device(named: name) else {
            throw .noDevice(named: name)
        }
        return device
    }

    private mutating func inbox(
        of name: String,
        for target: RequestTarget
    ) throws(GoogleError) -> JSONObject {
        guard let inbox = state.model.inbox(of: name, at: state.latest) else {
            throw .noDevice(named: name)
        }
        let page = try Page(target)
        let part = page.part(of: inbox.received, after: inbox.forgotten)
        let messages = part.indices.map { inbox.json(messageAt: $0) }
        var members = inbox.json(messages).objectValue ?? [:]
        let position = page.position(
            past: part,
            total: inbox.received.count,
            after: inbox.forgotten
        )
        for member in position.members { members.append(member.key, value: member.value) }
        return members
    }

    private func memberships(_ target: RequestTarget) throws(GoogleError) -> JSONObject {
        let topic = target.parameter("topic")
        let registration = target.parameter("registration")
        let topics = state.model.topics.filter { topic == nil || $0.text == topic }
        let memberships = topics.flatMap { topic in
            state.model.members(of: topic)
                .filter { registration == nil || $0.registration?.text == registration }
                .map { (topic: topic, device: $0) }
        }
        return try Page(target).answer("memberships", of: memberships) { _, membership in
            membership.device.json(ofMembershipIn: membership.topic)
        }
    }
}

extension GoogleError {
    static var logUnreadable: GoogleError { .logUnwritable(reason: "it cannot be read") }
}

extension Device {
    fileprivate func json(ofMembershipIn topic: TopicName) -> JSONValue {
        var members: JSONObject = ["topic": .string(topic.text), "device": .string(name)]
        members["registration"] = registration.map { .string($0.text) }
        members["since"] = topics[topic].map { .string($0.rfc3339) }
        return .object(members)
    }
}
