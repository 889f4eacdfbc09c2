/// What a path of the emulator is for.
enum Route: Hashable {
    case send(project: String)
    case batchAdd
    case batchRemove
    case info(registration: String)
    case health
    case devices
    case device(name: String)
    case inboxes
    case requests
    case reset
    case faults

    init?(path: some StringProtocol) {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
            .dropFirst().map { Substring($0).percentDecoded }
        switch (parts.count, parts.first) {
        case (4, "v1") where parts[1] == "projects" && parts[3] == "messages:send":
            guard !parts[2].isEmpty else { return nil }
            self = .send(project: parts[2])
        case (2, "iid"): self.init(instanceID: parts[1])
        case (3, "iid") where parts[1] == "info": self = .info(registration: parts[2])
        case (3, "emulator") where parts[1] == "v1": self.init(control: parts[2])
        case (4, "emulator") where parts[1] == "v1" && parts[2] == "devices":
            self = .device(name: parts[3])
        default: return nil
        }
    }

    private init?(instanceID name: String) {
        switch name {
        case "v1:batchAdd": self = .batchAdd
        case "v1:batchRemove": self = .batchRemove
        default: return nil
        }
    }

    private init?(control name: String) {
        switch name {
        case "health": self = .health
        case "devices": self = .devices
        case "inboxes": self = .inboxes
        case "requests": self = .requests
        case "reset": self = .reset
        case "faults": self = .faults
        default: return nil
        }
    }

    var methods: [String] {
        switch self {
        case .send, .batchAdd, .batchRemove, .reset: ["POST"]
        case .info, .health, .inboxes, .requests: ["GET"]
        case .devices: ["GET", "POST"]
        case .device: ["PATCH"]
        case .faults: ["GET", "PUT", "DELETE"]
        }
    }

    /// Whether the route belongs to the emulator itself and not to Google's APIs.
    var isControl: Bool {
        switch self {
        case .send, .batchAdd, .batchRemove, .info: false
        case .health, .devices, .device, .inboxes, .requests, .reset, .faults: true
        }
    }
}

/// A request's target taken apart.
struct RequestTarget {
    let path: Substring
    private let query: Substring

    init(_ text: String) {
        let end = text.firstIndex(of: "?") ?? text.endIndex
        path = text[..<end]
        query = text[end...].dropFirst()
    }

    /// The first value of a query parameter.
    func parameter(_ name: String) -> String? {
        for pair in query.split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if parts[0].percentDecoded == name {
                return parts.count > 1 ? parts[1].percentDecoded : ""
            }
        }
        return nil
    }
}

extension Substring {
    /// The text with `%41` read as `A`; what is no such code stays.
    var percentDecoded: String {
        guard utf8.contains(UInt8(ascii: "%")) else { return String(self) }
        let bytes = Array(utf8)
        var decoded: [UInt8] = []
        var index = 0
        while index < bytes.count {
            let code = bytes[index...].dropFirst().prefix(2)
            if bytes[index] == UInt8(ascii: "%"), code.count == 2,
                let byte = UInt8(String(decoding: code, as: UTF8.self), radix: 16)
            {
                decoded.append(byte)
                index += 3
            } else {
                decoded.append(bytes[index])
                index += 1
            }
        }
        return String(decoding: decoded, as: UTF8.self)
    }
}
