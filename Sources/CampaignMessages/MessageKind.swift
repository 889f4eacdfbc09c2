package import CampaignModel
import FCMWire

/// What a message is on one platform; it decides who handles it and whether it collapses.
package enum MessageKind: String, Hashable, Sendable {
    /// Shown by FCM's SDK or the system; always collapsible.
    case notification
    /// Handled by the app.
    case data
    case notificationAndData = "notification + data"
    /// No content at all, on any platform: it wakes the app.
    case ping
    /// The message has content, but none for this platform.
    case nothing

    package var showsSomething: Bool { self == .notification || self == .notificationAndData }
}

extension MessageContent {
    package func kind(on platform: Platform) -> MessageKind {
        switch (showsSomething(on: platform), carriesData(on: platform)) {
        case (true, true): .notificationAndData
        case (true, false): .notification
        case (false, true): .data
        case (false, false): isEmpty ? .ping : .nothing
        }
    }

    private var isEmpty: Bool {
        Platform.allCases.allSatisfy { !showsSomething(on: $0) && !carriesData(on: $0) }
    }

    private func showsSomething(on platform: Platform) -> Bool {
        if has(["notification"]) { return true }
        return switch platform {
        case .android: has(["android", "notification"])
        case .apple: ["alert", "badge", "sound"].contains { has(["apns", "payload", "aps", $0]) }
        case .web: has(["webpush", "notification"])
        }
    }

    /// A platform's own data replaces the common data; on Apple its custom keys come in addition.
    private func carriesData(on platform: Platform) -> Bool {
        switch platform {
        case .android: value(at: ["android", "data"]) != nil ? has(["android", "data"]) : hasData
        case .web: value(at: ["webpush", "data"]) != nil ? has(["webpush", "data"]) : hasData
        case .apple:
            hasData || has(["apns", "payload", "aps", "content-available"])
                || value(at: ["apns", "payload"])?.objectValue?.members.contains {
                    $0.key != "aps"
                } ?? false
        }
    }

    private var hasData: Bool { has(["data"]) }

    private func has(_ path: [String]) -> Bool {
        switch value(at: path) {
        case nil, .null?: false
        case .object(let object)?: !object.isEmpty
        default: true
        }
    }
}
