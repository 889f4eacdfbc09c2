import EmulatorAPI

extension RouteDocumentation {
    static let changes = RouteDocumentation(
        "Lists the devices that changed and the new requests since an earlier response.",
        query: [
            Query(
                "after",
                summary:
                    "The cursor of an earlier response. All devices are listed without one and after "
                    + "a restart of the emulator."
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
                    "cursor": .text, "whole": .flag, "more": .flag, "clock": .clock,
                    "device_count": .count, "devices": .list(.phone),
                    "requests": .list(
                        .record(
                            "PhoneRequest",
                            members: [
                                "seq": .count, "time": .instant, "method": .text, "path": .text,
                                "status": .count,
                            ]
                        )
                    ),
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
            "place": count, "name": text, "platform": names(["android", "apple", "web"]),
            "online": flag, "foreground": flag, "installed": flag, "registered": flag,
            "topics": count, "topic_names": list(text),
            "tray": list(
                record(
                    "PhoneNotification",
                    members: ["number": count, "message_id": text, "at": instant],
                    optional: .headline + ["image": text]
                )
            ),
            "tray_count": count,
            "pending": list(
                record(
                    "PhoneWaiting",
                    members: ["reason": text, "expires_at": instant],
                    optional: .headline
                )
            ),
            "pending_count": count,
            "dropped": list(record("PhoneLoss", members: ["reason": text], optional: .headline)),
            "dropped_count": count,
            "handed": list(record("PhoneCall", members: ["at": instant], optional: .headline)),
            "handed_count": count,
            "happened": list(
                record(
                    "PhoneHappening",
                    members: ["key": text, "at": instant, "event": text],
                    optional: .headline + ["how": text, "reason": text, "topic": text]
                )
            ),
        ],
        optional: ["package": text, "dozing": flag, "force_stopped": flag]
    )
}

extension OpenAPISchema.Members {
    /// The headline of a message.
    fileprivate static let headline: Self = ["title": .text, "body": .text, "key_of_data": .text]
}
