import FCMWire

/// What of a message counts against its limit on one platform.
struct PayloadWeight: Sendable {
    /// UTF-8 bytes of the keys and values of notification and data.
    var bytes = 0
    /// Whether there is nothing: settings such as a priority or a life are not content.
    var isEmpty = true

    fileprivate mutating func add(_ data: DataEntries) {
        bytes += data.payloadBytes
        isEmpty = isEmpty && data.isEmpty
    }

    fileprivate mutating func add(_ member: JSONObject.Member) {
        bytes += member.payloadBytes
        isEmpty = false
    }

    /// The members of `other`, and those of `common` that it does not replace.
    fileprivate mutating func add(_ common: JSONObject, overriddenBy other: JSONObject) {
        for member in other.members { add(member) }
        let remaining = other.isEmpty ? common.members : common.members(without: other)
        for member in remaining { add(member) }
    }
}

extension PushMessage {
    func weight(on platform: DevicePlatform) -> PayloadWeight {
        var weight = PayloadWeight()
        switch platform {
        case .android:
            if android?.kind != .backgroundSync {
                weight.add(notification, overriddenBy: android?.notification ?? [:])
            }
            weight.add(android?.data ?? data)
        case .apple:
            weight.add(notification, overriddenBy: apns?.alert ?? [:])
            weight.add(data)
            for member in apns?.payload.members ?? [] where member.key != "aps" {
                weight.add(member)
            }
            for member in apns?.aps.members ?? [] where member.key != "alert" {
                weight.add(member)
            }
        case .web:
            weight.add(notification, overriddenBy: webpush?.notification ?? [:])
            weight.add(webpush?.data ?? data)
        }
        return weight
    }
}

extension JSONObject {
    /// The members of another object, after those that it does not have.
    func overridden(by other: JSONObject) -> JSONObject {
        if other.isEmpty { return self }
        return isEmpty ? other : JSONObject(members(without: other) + other.members)
    }

    /// Few are looked up by looking at all, many by hash.
    fileprivate func members(without other: JSONObject) -> [Member] {
        guard other.members.count > 16 else { return members.filter { other[$0.key] == nil } }
        let taken = Set(other.members.map(\.key))
        return members.filter { !taken.contains($0.key) }
    }
}

extension JSONObject.Member {
    /// The UTF-8 bytes of keys and values, without punctuation.
    fileprivate var payloadBytes: Int { key.utf8.count + value.payloadBytes }
}

extension JSONValue {
    fileprivate var payloadBytes: Int {
        switch self {
        case .string(let text): text.utf8.count
        case .array(let elements): elements.reduce(0) { $0 + $1.payloadBytes }
        case .object(let object): object.members.reduce(0) { $0 + $1.payloadBytes }
        default: compactBytes.count
        }
    }
}
