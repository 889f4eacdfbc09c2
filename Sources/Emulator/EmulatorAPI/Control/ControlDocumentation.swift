import DeliveryModel
import PhoneKeys

/// The emulator's own routes.
extension RouteDocumentation {
    static let health = RouteDocumentation(
        "Reports that the emulator runs, and its process ID.",
        answer: .json(.record("Health", members: ["status": .text, "pid": .count]))
    )

    static let devices = RouteDocumentation(
        "Lists the devices in the order of their addition.",
        query: Query.page,
        answer: .json(.page("Devices", member: "devices", of: .device))
    )

    static let addDevices = RouteDocumentation(
        "Adds devices; an existing device keeps its conditions and messages.",
        body: .json(
            .any(of: .shape(.deviceList), .list(.shape(.device)))
        ),
        answer: .json(.record("AddedDevices", members: ["added": .count]))
    )

    static let device = RouteDocumentation("Shows a device.", answer: .json(.device))

    static let changeDevice = RouteDocumentation(
        "Changes conditions of a device: online, foreground, Doze and others.",
        body: .json(.shape(.deviceChange)),
        answer: .json(
            .record(
                "DeviceCondition",
                members: .conditions + ["name": .text],
                optional: .rareConditions
            )
        )
    )

    static let tap = RouteDocumentation(
        "Taps a notification. The app opens and receives the returned data.",
        body: .json(.shape(.tap)),
        answer: .json(
            .record(
                "OpenedMessage",
                members: ["message_id": .text, "data": .map],
                optional: .content
            )
        )
    )

    static let delivery = RouteDocumentation(
        "Shows the behaviour settings of FCM and the devices.",
        answer: .json(.shape(.delivery))
    )

    static let setDelivery = RouteDocumentation(
        "Sets the behaviour of FCM and the devices; omitted settings are reset to their defaults.",
        body: .json(.shape(.delivery)),
        answer: .json(.shape(.delivery))
    )

    static let removeDevice = RouteDocumentation(
        "Removes a device and its messages.",
        answer: .json(.empty)
    )

    static let register = RouteDocumentation(
        "Issues a registration to the app; sends to its previous one fail with UNREGISTERED.",
        body: .json(.shape(.registration)),
        answer: .json(
            .record(
                "IssuedRegistration",
                members: ["registration": .text],
                optional: ["former": .text]
            )
        )
    )

    static let unregister = RouteDocumentation(
        "Deletes the app's registration; the app then waits for a new one.",
        answer: .json(.empty)
    )

    static let subscribe = RouteDocumentation(
        "Subscribes the app to a topic, as with the client SDK.",
        body: .json(.shape(.subscription)),
        answer: .json(.event)
    )

    static let unsubscribe = RouteDocumentation(
        "Unsubscribes the app from a topic, as with the client SDK.",
        answer: .json(.event),
        refusals: [400]
    )

    static let deviceLog = RouteDocumentation(
        "Lists the events on a device, including the app's own calls and their results.",
        query: Query.page,
        answer: .json(.page("DeviceLog", member: "events", of: .event))
    )

    static let inbox = RouteDocumentation(
        "Lists the received, pending and dropped messages of a device.",
        query: Query.page,
        answer: .json(.record("Inbox", members: .inbox + .page, optional: .registration))
    )

    static let inboxes = RouteDocumentation(
        "Lists the received, pending and dropped messages of each device.",
        query: Query.page,
        answer: .json(
            .page(
                "Inboxes",
                member: "devices",
                of: .record("DeviceInbox", members: .inbox, optional: .registration)
            )
        )
    )

    static let memberships = RouteDocumentation(
        "Lists all subscriptions, ordered by topic and then by device.",
        query: [
            Query("topic", summary: "Only this topic."),
            Query("registration", summary: "Only this registration."),
        ] + Query.page,
        answer: .json(
            .page(
                "Memberships",
                member: "memberships",
                of: .record(
                    "Membership",
                    members: [
                        "topic": .text, "device": .text, "registration": .text, "since": .instant,
                    ]
                )
            )
        )
    )

    static let reset = RouteDocumentation(
        "Resets every device to its initial state; the request log is kept.",
        answer: .json(.empty)
    )
}

extension RouteDocumentation.Query {
    static let page = [
        RouteDocumentation.Query("after", summary: "Number of items to skip.", schema: .count),
        RouteDocumentation.Query(
            "limit",
            summary: "Maximum number of items.",
            schema: .integer(from: 1)
        ),
    ]
}

extension OpenAPISchema {
    /// Returns a named page of a list, with its position.
    static func page(_ name: String, member: String, of element: OpenAPISchema) -> OpenAPISchema {
        record(name, members: [member: list(element)] + .page)
    }

    fileprivate static let platform = names(DevicePlatform.allCases.map(\.rawValue))

    fileprivate static let device = record(
        "Device",
        members: .conditions + [
            "name": text, "platform": platform, "registered": flag, "topics": list(text),
        ],
        optional: .rareConditions + [
            "registration": text, "project": text, "package": text, "public_keys": list(text),
        ]
    )

    fileprivate static let event = record(
        "DeviceEvent",
        members: [
            "number": count, "at": instant,
            "event": names(DeviceEvent.Kind.allCases.map(\.rawValue)),
        ],
        optional: [
            "topic": text, "message_id": text, "completion": names(["pending", "done", "error"]),
            "waits_for": names(["registration", "network"]), "completed_at": instant,
            "error": names(ClientFailure.allCases.map(\.rawValue)),
        ]
    )

    fileprivate static let receivedMessage = record(
        "ReceivedMessage",
        members: [
            "number": count, "message_id": text, "message_id_key": text, "received_at": instant,
            "how": names(ReceivedMessage.Manner.allCases.map(\.rawValue)), "data": map,
            "delay": delay,
        ],
        optional: .content + [
            "priority_lowered": flag, "opened_at": instant, "decrypted": object,
            "not_decrypted": names(OpenedMessage.Reason.allCases.map(\.rawValue)),
        ]
    )

    fileprivate static let delay = names(MessageDelay.allCases.map(\.rawValue))

    fileprivate static let waitingMessage = record(
        "WaitingMessage",
        members: [
            "message_id": text, "accepted_at": instant, "expires_at": instant,
            "waits_for": delay, "data": map,
        ],
        optional: .content
    )

    fileprivate static let lostMessage = record(
        "LostMessage",
        members: [
            "message_id": text, "dropped_at": instant, "data": map,
            "outcome": names(MessageOutcome.allCases.map(\.rawValue)),
        ],
        optional: .content + ["undefined_by_fcm": flag]
    )

    fileprivate static let outcomes = record(
        "Outcomes",
        members: [:],
        optional: [
            "delivered": count, "collapsed": count, "droppedTtlExpired": count,
            "droppedTooManyPendingMessages": count, "droppedDeviceInactive": count,
            "droppedAppForceStopped": count, "droppedUninstalled": count,
            "droppedUnregistered": count, "nothingForPlatform": count,
        ]
    )
}

extension OpenAPISchema.Members {
    fileprivate static let page: Self = ["last": .count, "total": .count]

    fileprivate static let registration: Self =
        rareConditions + ["registration": .text, "last_deleted_messages": .instant]

    fileprivate static let conditions: Self = [
        "online": .flag, "foreground": .flag, "installed": .flag,
    ]

    /// Conditions that only some devices can have.
    fileprivate static let rareConditions: Self = [
        "dozing": .flag, "force_stopped": .flag, "user_stopped": .flag, "last_seen": .instant,
        "direct_channel": .flag,
    ]

    static let content: Self =
        [
            "title": .text, "body": .text, "tag": .text, "click_action": .text, "category": .text,
            "link": .text, "image": .text, "analytics_label": .text, "collapse_key": .text,
            "priority": .text, "ttl": .text,
        ] + look

    fileprivate static let inbox: Self =
        conditions + [
            "name": .text, "platform": .platform, "topics": .list(.text),
            "received": .list(.receivedMessage), "tray": .list(.count), "pending": .count,
            "waiting": .list(.waitingMessage), "gone": .list(.lostMessage),
            "dropped": .count, "collapsed": .count, "nothing_for_platform": .count,
            "outcomes": .outcomes, "deleted_messages": .count,
        ]
}
