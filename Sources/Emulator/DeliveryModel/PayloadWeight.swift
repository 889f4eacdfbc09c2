import JSON

/// The payload of a message on one platform, as counted against the limit.
struct PayloadWeight: Sendable {
    /// Number of UTF-8 bytes of the keys and values of notification and data.
    var bytes = 0
    /// Whether there is no content; settings such as a priority or a lifetime are not content.
    var isEmpty = true

    fileprivate init() {}

    fileprivate init(_ object: JSONObject) {
        for member in object.members { add(member) }
    }

    fileprivate init(_ data: DataEntries) {
        bytes = data.payloadBytes
        isEmpty = data.isEmpty
    }

    fileprivate mutating func add(_ member: JSONObject.Member) {
        bytes += member.payloadBytes
        isEmpty = false
    }

    fileprivate static func + (left: PayloadWeight, right: PayloadWeight) -> PayloadWeight {
        var sum = left
        sum.bytes += right.bytes
        sum.isEmpty = left.isEmpty && right.isEmpty
        return sum
    }
}

/// The payload of a message on each platform.
struct PayloadWeights: Sendable {
    let android: PayloadWeight
    let apple: PayloadWeight
    let web: PayloadWeight

    init(_ message: PushMessage) {
        let notification = PayloadWeight(message.notification)
        let data = PayloadWeight(message.data)
        /// Merges a platform's overrides into the common notification.
        func shown(_ block: JSONObject?) -> PayloadWeight {
            guard let block, !block.isEmpty else { return notification }
            return PayloadWeight(message.notification.overridden(by: block))
        }
        var android = PayloadWeight()
        if message.android?.kind != .backgroundSync {
            android = shown(message.android?.notification)
        }
        self.android = android + (message.android?.data.map { PayloadWeight($0) } ?? data)
        var apple = shown(message.apns?.alert) + data
        message.apns?.addOwn(to: &apple)
        self.apple = apple
        let webData = message.webpush?.data.map { PayloadWeight($0) } ?? data
        web = shown(message.webpush?.notification) + webData
    }
}

extension ApnsBlock {
    /// Adds the app's own keys and the members of `aps` other than the alert (a badge, a sound, a
    /// silent wake).
    fileprivate func addOwn(to weight: inout PayloadWeight) {
        for member in payload.members where member.key != "aps" { weight.add(member) }
        for member in aps.members where member.key != "alert" { weight.add(member) }
    }
}

extension JSONObject {
    /// Returns the members of both objects, in which the members of `other` win.
    func overridden(by other: JSONObject) -> JSONObject {
        if other.isEmpty { return self }
        return isEmpty ? other : JSONObject(members(without: other) + other.members)
    }

    /// Searches a small object linearly, and a large one with a hash table.
    fileprivate func members(without other: JSONObject) -> [Member] {
        guard other.members.count > 16 else { return members.filter { other[$0.key] == nil } }
        let taken = Set(other.members.map(\.key))
        return members.filter { !taken.contains($0.key) }
    }
}

extension JSONObject.Member {
    /// Number of UTF-8 bytes of keys and values, without punctuation.
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
