import DeliveryModel
import JSON
import Text

/// The parts of a request that fault scripts use.
struct FaultSubject {
    /// The format of a service's errors.
    enum Form {
        case google
        /// `{"error": "text"}`, as in the older APIs.
        case plain
        case oauth
    }

    /// `any` if the request belongs to none of the named services.
    private(set) var service = FaultService.any
    private(set) var form = Form.google
    let method: String
    /// Empty if the request names none.
    private(set) var project = ""
    private(set) var topic: String?
    private(set) var condition: String?
    /// The addressed registrations; empty for topics and conditions.
    private(set) var registrations: [String] = []
    /// Whether the answer has a result for each registration.
    private(set) var isBatch = false
    private var isInstanceID = false

    /// Returns nil for the emulator's own routes, which faults do not affect.
    init?(_ request: EmulatorRequest) {
        let parts = RequestTarget(request.target).path.split(separator: "/").map(\.percentDecoded)
        guard parts.first != "emulator" else { return nil }
        method = request.method
        if parts.first == "iid" {
            readInstanceID(parts, json: request.json)
        } else if parts.first == "fcm" {
            form = .plain
        } else if parts.last?.hasSuffix(":generateAccessToken") == true {
            service = .token
        } else if parts.count >= 4, parts[1] == "projects" {
            project = parts[2]
            readProject(Array(parts[3...]), for: request)
        } else if parts.last == "token" {
            service = .token
            form = .oauth
        }
    }

    func isFor(_ service: FaultService) -> Bool {
        switch service {
        case .any: true
        case .instanceID: isInstanceID
        case .send, .membership, .token: service == self.service
        }
    }

    /// The part of a quota that the request consumes.
    var cost: Int64 {
        service == .membership ? Int64(max(1, registrations.count)) : 1
    }

    private mutating func readProject(_ parts: [String], for request: EmulatorRequest) {
        if parts == ["messages:send"] {
            service = .send
            let message = request.json?["message"]
            topic = message?["topic"]?.stringValue
            condition = message?["condition"]?.stringValue
            let target = message?["token"]?.stringValue ?? message?["fid"]?.stringValue
            registrations = target.map { [$0] } ?? []
        } else if parts.count >= 3, parts[0] == "registrations", parts[2] == "topicSubscriptions" {
            service = method == "GET" ? .any : .membership
            registrations = [parts[1]]
            let target = RequestTarget(request.target)
            topic =
                parts.count > 3
                ? parts[3] : target.parameter("topicName") ?? target.parameter("topic_name")
        }
    }

    private mutating func readInstanceID(_ parts: [String], json: JSONValue?) {
        form = .plain
        isInstanceID = true
        let changing = method == "GET" ? FaultService.any : .membership
        switch parts.dropFirst().first {
        case "v1:batchAdd"?, "v1:batchRemove"?:
            service = changing
            isBatch = true
            topic = json?["to"]?.stringValue?.withoutTopicsPrefix
            let tokens = json?["registration_tokens"]?.arrayValue ?? []
            registrations = tokens.map { $0.stringValue ?? "" }
        case "v1"? where parts.count >= 3:
            service = changing
            registrations = [parts[2]]
            topic = parts.count > 5 ? parts[5] : nil
        case "info"? where parts.count == 3:
            registrations = [parts[2]]
        default: break
        }
    }
}

extension String {
    fileprivate var withoutTopicsPrefix: String {
        hasPrefix("/topics/") ? String(dropFirst("/topics/".utf8.count)) : self
    }
}

extension FaultMatcher {
    /// The matching registrations of a subject, by index.
    enum Match: Equatable {
        case none
        case whole
        case registrations([Int])
    }

    func match(_ subject: FaultSubject, draw: FaultDraw, in model: DeliveryBackend) -> Match {
        guard subject.isFor(service),
            method == nil || method == subject.method,
            topic == nil || topic == subject.topic,
            condition == nil || condition == subject.condition
        else { return .none }
        guard choosesRegistrations else { return .whole }
        let chosen = subject.registrations.indices.filter {
            chooses(subject.registrations[$0], by: draw, in: model)
        }
        return chosen.isEmpty ? .none : .registrations(chosen)
    }

    private func chooses(_ text: String, by draw: FaultDraw, in model: DeliveryBackend) -> Bool {
        if let registration, registration != text { return false }
        if let registrationShare, !draw.hits(registrationShare, for: text) { return false }
        guard let platform else { return true }
        let device = DeviceRegistration(text).flatMap { model.device(registeredAs: $0) }
        return device?.platform == platform
    }
}
