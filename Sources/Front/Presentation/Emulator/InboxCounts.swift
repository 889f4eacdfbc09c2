import JSON

/// Renders counts of a device's waiting and undelivered messages, one line per reason.
struct InboxCounts {
    private let device: JSONValue

    init(_ device: JSONValue) {
        self.device = device
    }

    var lines: [String] {
        [waiting, collapsed, dropped, told].compactMap(\.self).map { "  " + $0 }
    }

    private var waiting: String? {
        guard let count = count("pending") else { return nil }
        let reasons = Set(
            (device["waiting"]?.arrayValue ?? []).compactMap { $0["waits_for"]?.stringValue }
        )
        let words = Self.delays.filter { reasons.contains($0.word) }.map(\.text)
        return "\(count) waiting" + tail(words)
    }

    private var collapsed: String? {
        count("collapsed").map { "\($0) replaced by newer ones" }
    }

    private var dropped: String? {
        guard let count = count("dropped") else { return nil }
        let parts = Self.drops.compactMap { drop in
            device["outcomes"]?[drop.word]?.integerValue.map { (count: $0, text: drop.text) }
        }
        let texts = parts.map { parts.count == 1 ? $0.text : "\($0.count) \($0.text)" }
        return "\(count) dropped" + tail(texts)
    }

    private var told: String? {
        count("deleted_messages").map { "notified of deleted messages: \($0)" }
    }

    private func count(_ name: String) -> Int64? {
        device[name]?.integerValue.flatMap { $0 > 0 ? $0 : nil }
    }

    private func tail(_ words: [String]) -> String {
        words.isEmpty ? "" : ": " + words.joined(separator: ", ")
    }

    /// The reasons for delay.
    ///
    /// Offline is omitted, because the device's own line shows it.
    private static let delays = [
        (word: "delayedDeviceDoze", text: "until Doze ends"),
        (word: "delayedMessageThrottled", text: "throttled"),
        (word: "delayedUserStopped", text: "until the user's profile is started"),
        (word: "delayedInBackground", text: "delayed in the background"),
    ]

    private static let drops = [
        (word: "droppedTtlExpired", text: "expired"),
        (word: "droppedTooManyPendingMessages", text: "too many pending messages"),
        (word: "droppedDeviceInactive", text: "device inactive for a month"),
        (word: "droppedAppForceStopped", text: "app force-stopped"),
        (word: "droppedUninstalled", text: "app uninstalled"),
        (word: "droppedUnregistered", text: "registration deleted"),
    ]
}
