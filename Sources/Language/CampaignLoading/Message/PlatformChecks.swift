import Diagnostics
import JSON
import YAMLSyntax

extension MessageCheck {
    /// WHATWG, Notifications API Standard, creating a notification.
    static let silentVibration = MessageCheck { mapping in
        guard mapping.object["silent"] == true, let silent = mapping.entry("silent"),
            let vibrate = mapping.entry("vibrate")
        else { return [] }
        return [
            Diagnostic(
                rule: .conflictingKeys,
                message: "a silent notification cannot vibrate",
                span: vibrate.key.span,
                label: "browsers refuse it",
                related: [RelatedPlace(span: silent.key.span, message: "silent here")],
                help: ["remove one of them"]
            )
        ]
    }
}

// MARK: - The payload for Apple devices

extension MessageCheck {
    /// Keys of `aps` that FCM refuses next to it.
    private static let keysOfAps = ["alert", "badge"]

    /// FCM refuses the whole message (firebase/firebase-admin-dotnet, issues 39 and 323;
    /// vincedevendra/firebase_cloud_messenger, issue 6).
    static let apnsPayload = MessageCheck { mapping in
        let misplaced = (mapping.node.entries ?? [])
            .filter { keysOfAps.contains($0.key.scalar?.text ?? "") }
            .map { Diagnostic.misplacedInPayload($0.key) }
        guard misplaced.isEmpty else { return misplaced }
        guard mapping.isMet("aps") else { return [.payloadWithoutAps(at: mapping.place)] }
        guard let aps = mapping.entry("aps")?.value, let entries = aps.entries,
            entries.allSatisfy({ $0.key.scalar?.text.isAuthorsKey ?? false })
        else { return [] }
        return [.emptyAps(at: aps.span)]
    }
}

extension Diagnostic {
    fileprivate static func misplacedInPayload(_ key: SyntaxNode) -> Diagnostic {
        let name = key.scalar?.text ?? ""
        return Diagnostic(
            rule: .apnsPayload,
            message: "`\(name)` is next to `aps` in `apns.payload`",
            span: key.span,
            label: "should be under `aps`",
            help: ["write `aps: { \(name): … }`"]
        )
    }

    fileprivate static func payloadWithoutAps(at span: SourceSpan) -> Diagnostic {
        Diagnostic(
            rule: .apnsPayload,
            message: "`apns.payload` needs the key `aps`",
            span: span,
            label: "`aps` is missing here",
            help: [helpOnAps]
        )
    }

    fileprivate static func emptyAps(at span: SourceSpan) -> Diagnostic {
        Diagnostic(
            rule: .apnsPayload,
            message: "`aps` is empty",
            span: span,
            label: "needs at least one key",
            help: [helpOnAps]
        )
    }

    private static let helpOnAps =
        "write a key that Apple defines, such as `aps: { sound: default }`, or "
        + "`aps: { content-available: 1 }` for a message that shows nothing"
}

// MARK: - Live Activities

/// Apple documentation, Starting and updating Live Activities with ActivityKit push notifications.
extension MessageFields {
    static let liveActivityNeeds: [MappingSchema.Need] = [
        .init("event", beside: "timestamp"),
        .init("event", is: "start", beside: "attributes-type"),
        .init("event", is: "start", beside: "attributes"),
        .init("event", is: "start", beside: "content-state"),
        .init("event", is: "update", beside: "content-state"),
        .init("content-state", beside: "event"),
        .init("stale-date", beside: "event"),
        .init("dismissal-date", beside: "event"),
        .init("attributes-type", beside: "event"),
        .init("attributes", beside: "event"),
        .init("input-push-token", beside: "event"),
        .init("input-push-channel", beside: "event"),
    ]
}

extension MessageCheck {
    /// Runs only if nothing else was found: the event may be under a key with an error.
    static let liveActivityEvent = MessageCheck { mapping in
        guard mapping.isSound, let token = mapping.entry("live_activity_token"),
            mapping.object["payload"]?["aps"]?["event"] == nil
        else { return [] }
        let event = "payload.aps.event"
        return [.missing([event], beside: "live_activity_token", at: token.key.span)]
    }

    /// For notifications the score is at most 1; for Live Activities it may be any number.
    static let relevanceScore = MessageCheck { mapping in
        guard let entry = mapping.entry("relevance-score"), !mapping.isMet("event"),
            let value = mapping.object["relevance-score"], value.isAboveOne
        else { return [] }
        return [
            Diagnostic(
                rule: .numberOutOfRange,
                message: "\(entry.value.scalar?.text ?? "this") is out of range",
                span: entry.value.span,
                label: "should be from 0 to 1, except in Live Activities"
            )
        ]
    }
}

extension JSONValue {
    fileprivate var isAboveOne: Bool {
        switch self {
        case .integer(let integer): integer > 1
        case .number(let number): number > 1
        default: false
        }
    }
}
