import DeliveryModel
import EmulatorAPI

extension RouteDocumentation {
    static let changes = RouteDocumentation(
        "Lists the newest activity of the devices and the new requests since an earlier response.",
        query: [
            Query(
                "after",
                summary:
                    "The cursor of an earlier response. The response is whole without one, after a "
                    + "removal of devices and after a restart of the emulator."
            ),
            Query(
                "wait",
                summary: "Maximum wait for a change, up to 30s.",
                schema: .duration
            ),
        ],
        answer: .json(
            .record(
                "Changes",
                members: [
                    "cursor": .text, "whole": .flag, "clock": .clock, "device_count": .count,
                    "request_count": .count, "activity": .list(.activity),
                    "requests": .list(.phoneRequest),
                ]
            )
        )
    )

    static let phones = RouteDocumentation(
        "Lists a page of the devices and their newest notifications, in the order of their addition.",
        query: [
            Query(
                "after",
                summary:
                    "The cursor of an earlier response. If nothing but their state can have changed, "
                    + "only the devices that changed since then are listed."
            ),
            Query(
                "search",
                summary: "Only devices whose name, package, topics or texts contain all words."
            ),
            Query(
                "platform",
                summary: "Only this platform.",
                schema: .names(DevicePlatform.allCases.map(\.rawValue))
            ),
            Query(
                "state",
                summary: "Only devices in this state.",
                schema: .names(PhoneSelection.State.allCases.map(\.rawValue))
            ),
            Query("device", summary: "Only the device with this name."),
            Query("skip", summary: "Number of matching devices to skip.", schema: .count),
            Query("limit", summary: "Maximum number of devices, up to 500.", schema: .count),
        ],
        answer: .json(
            .record(
                "Phones",
                members: [
                    "cursor": .text, "complete": .flag, "matches": .count,
                    "devices": .list(.phone),
                ]
            )
        )
    )
}

extension OpenAPISchema {
    /// A device as the page shows it.
    fileprivate static let phone = record(
        "Phone",
        members: [
            "index": count, "place": count, "revision": count, "name": text,
            "platform": names(DevicePlatform.allCases.map(\.rawValue)),
            "online": flag, "foreground": flag, "installed": flag, "registered": flag,
            "topics": count, "topic_names": list(text),
            "tray": list(
                record(
                    "PhoneNotification",
                    members: ["number": count, "message_id": text, "at": instant],
                    optional: .headline + ["image": text]
                )
            ),
            "tray_count": count, "pending_count": count, "dropped_count": count,
            "handed_count": count,
        ],
        optional: [
            "package": text, "registration": text, "dozing": flag, "force_stopped": flag,
            "pending_reason": text, "dropped_reason": text,
        ]
    )

    fileprivate static let activity = record(
        "PhoneActivity",
        members: ["device": text, "key": text, "at": instant, "event": text],
        optional: .headline + ["how": text, "reason": text, "topic": text]
    )

    fileprivate static let phoneRequest = record(
        "PhoneRequest",
        members: ["seq": count, "time": instant, "method": text, "path": text, "status": count]
    )
}

extension OpenAPISchema.Members {
    /// The headline of a message.
    fileprivate static let headline: Self = [
        "title": .text, "body": .text, "key_of_data": .text, "decrypted": .flag,
    ]
}
