import DeliveryModel
import JSON

/// The search conditions that messages and requests share; nil allows everything.
struct SearchTerms: Sendable {
    /// Part of a title, a body, a data key or value, a topic, a condition, a label or a tag,
    /// regardless of case.
    let text: TextNeedle?
    let title: String?
    let body: String?
    /// A data key, or a key and its value.
    let data: (key: String, value: String?)?
    let topic: String?
    let condition: String?
    let label: String?
    let registration: DeviceRegistration?
    let fingerprint: Fingerprint?
    let time: ClosedRange<DeliveryMoment>?
    /// Parts of these terms that every matching line of the log contains, if clients do not escape
    /// letters and digits.
    let needles: [TextNeedle]

    static let names = [
        "text", "title", "body", "data", "topic", "condition", "label", "registration",
        "fingerprint", "since", "until",
    ]

    init(_ target: RequestTarget) throws(GoogleError) {
        let text = target.parameter("text")
        self.text = text.map { TextNeedle($0) }
        title = target.parameter("title")
        body = target.parameter("body")
        data = target.parameter("data").map { text in
            let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return (String(parts[0]), parts.count > 1 ? String(parts[1]) : nil)
        }
        topic = target.parameter("topic").map {
            $0.hasPrefix(MessageOrigin.topicPrefix)
                ? String($0.dropFirst(MessageOrigin.topicPrefix.count)) : $0
        }
        condition = target.parameter("condition")
        label = target.parameter("label")
        registration = try Self.registration(target)
        fingerprint = try Self.fingerprint(target)
        time = try Self.time(target)
        needles = [text, title, body, data?.key, data?.value, topic, registration?.text]
            .compactMap { $0?.plainPart }.map { TextNeedle($0) }
    }

    private static func registration(
        _ target: RequestTarget
    ) throws(GoogleError) -> DeviceRegistration? {
        guard let text = target.parameter("registration") else { return nil }
        guard let registration = DeviceRegistration(text) else {
            throw .control("registration", because: "It is not a valid registration.")
        }
        return registration
    }

    private static func fingerprint(_ target: RequestTarget) throws(GoogleError) -> Fingerprint? {
        guard let text = target.parameter("fingerprint") else { return nil }
        guard let fingerprint = Fingerprint(text) else {
            throw .control("fingerprint", because: "It must have 16 hexadecimal digits.")
        }
        return fingerprint
    }

    private static func time(
        _ target: RequestTarget
    ) throws(GoogleError) -> ClosedRange<DeliveryMoment>? {
        let since = try moment("since", of: target)
        let until = try moment("until", of: target)
        guard since != nil || until != nil else { return nil }
        let first = since ?? DeliveryMoment(milliseconds: .min)
        let last = until ?? DeliveryMoment(milliseconds: .max)
        guard first <= last else {
            throw .control("until", because: "It must not be before since.")
        }
        return first...last
    }

    private static func moment(
        _ name: String,
        of target: RequestTarget
    ) throws(GoogleError) -> DeliveryMoment? {
        guard let text = target.parameter(name) else { return nil }
        guard let moment = DeliveryMoment(instant: text) else {
            throw .control(name, because: "It must be a UTC time such as 2026-03-20T07:30:00Z.")
        }
        return moment
    }
}

extension SearchTerms {
    /// Returns whether the content of a received message matches.
    func allow(_ content: MessageContent) -> Bool {
        if let title, content.title != title { return false }
        if let body, content.body != body { return false }
        if let topic, content.origin.topic != topic { return false }
        if let condition, content.origin.condition != condition { return false }
        if let label, content.analyticsLabel != label { return false }
        if let data, !content.has(data) { return false }
        return text.map { content.contains($0) } ?? true
    }
}

extension MessageContent {
    fileprivate func has(_ entry: (key: String, value: String?)) -> Bool {
        data.contains { $0.key == entry.key && (entry.value == nil || $0.value == entry.value) }
    }

    fileprivate func contains(_ needle: TextNeedle) -> Bool {
        let texts = [title, body, origin.topic, origin.condition, analyticsLabel, tag]
        return texts.contains { $0.map { needle.occurs(in: $0) } ?? false }
            || data.contains { needle.occurs(in: $0.key) || needle.occurs(in: $0.value) }
    }
}

extension String {
    /// The longest part that no JSON encoder escapes, or nil if there is none.
    fileprivate var plainPart: String? {
        let parts = utf8.split { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"),
                UInt8(ascii: "."), UInt8(ascii: " "):
                false
            default: true
            }
        }
        return parts.max { $0.count < $1.count }.map { String(decoding: $0, as: UTF8.self) }
    }
}
