import Diagnostics

extension FieldDomain {
    static let androidMessages =
        [
            choice("`android` priority", ["normal", "high", "NORMAL", "HIGH"], "High", "max"),
            choice(
                "`android.notification` proxy",
                ["PROXY_UNSPECIFIED", "ALLOW", "DENY", "IF_PRIORITY_LOWERED"],
                "deny"
            ),
            FieldDomain(
                "\(notificationV2) id",
                inside: ["0", "-2147483648", "2147483647"],
                outside: [
                    ("-2147483649", .numberOutOfRange), ("2147483648", .numberOutOfRange),
                ]
            ),
            flag("`android_v2.remote_notification` mutable_content"),
            flag("`android_v2.remote_notification` use_as_v1_data_message"),
            share("`light_settings.color` red"), share("`light_settings.color` green"),
            share("`light_settings.color` blue"), share("`light_settings.color` alpha"),
            wireDuration("`light_settings` light_on_duration"),
            wireDuration("`light_settings` light_off_duration"),
        ] + ["`android`", "`android_v2`"].flatMap(config)
        + ["`android.notification`", notificationV2].flatMap(notification)

    private static let notificationV2 = "`android_v2.remote_notification.notification`"

    private static func config(_ subject: String) -> [FieldDomain] {
        [
            oneOf(
                "\(subject) ttl",
                ["0s", "2419200s", "2419200.0s", "2419199.999999999s", "007s"],
                "2419201s",
                "2419200.5s",
                "3.1234567891s",
                "4h",
                "60",
                "-1s",
                ".5s",
                "1.s",
                "s",
                rule: .ttlOutOfRange
            ),
            oneOf(
                "\(subject) restricted_package_name",
                ["a.b", "com.Example_1.app2"],
                "app",
                "a.",
                ".a",
                "a..b",
                "a.1b",
                "a.b-c",
                "a.ü",
                "\"\"",
                rule: .invalidName
            ),
            flag("\(subject) direct_boot_ok"), flag("\(subject) bandwidth_constrained_ok"),
            flag("\(subject) restricted_satellite_ok"),
        ]
    }

    private static func notification(_ subject: String) -> [FieldDomain] {
        [
            image("\(subject) image"), texts("\(subject) title_loc_args"),
            texts("\(subject) body_loc_args"), count("\(subject) notification_count"),
            oneOf(
                "\(subject) color",
                ["\"#000000\"", "'#fFfFfF'"],
                "\"#fff\"",
                "\"#ff00ff00\"",
                "\"#gggggg\"",
                "1f6feb",
                "blue",
                "\"\"",
                rule: .invalidColour
            ),
            moment("\(subject) event_time"),
            choice(
                "\(subject) notification_priority",
                [
                    "PRIORITY_UNSPECIFIED", "PRIORITY_MIN", "PRIORITY_LOW", "PRIORITY_DEFAULT",
                    "PRIORITY_HIGH", "PRIORITY_MAX",
                ],
                "HIGH",
                "priority_high"
            ),
            choice(
                "\(subject) visibility",
                ["VISIBILITY_UNSPECIFIED", "PRIVATE", "PUBLIC", "SECRET"],
                "public"
            ),
            FieldDomain(
                "\(subject) vibrate_timings",
                inside: ["[]", "[0s, 99999999999.123456789s]"],
                outside: element(durationText)
            ),
        ]
            + [
                "sticky", "local_only", "default_sound", "default_vibrate_timings",
                "default_light_settings",
            ].map { flag("\(subject) \($0)") }
    }

    private static let durationText: [(text: String, rule: RuleID)] = [
        "100000000000s", "1.1234567890s", "1.s", ".5s", "-1s", "200", "200ms", "s", "\"\"",
    ].map { ($0, .durationSyntax) }

    private static func wireDuration(_ field: String) -> FieldDomain {
        FieldDomain(field, inside: ["0s", "3.5s", "0.000000001s"], outside: durationText)
    }

    private static func moment(_ field: String) -> FieldDomain {
        oneOf(
            field,
            [
                "2037-03-20T08:30:00Z", "2036-02-29T23:59:59.123456789+23:59",
                "2000-02-29T00:00:00-00:00",
            ],
            "2037-02-29T08:30:00Z",
            "1900-02-29T08:30:00Z",
            "2037-04-31T08:30:00Z",
            "2037-03-20T08:30:00",
            "2037-03-20 08:30:00Z",
            "2037-03-20t08:30:00Z",
            "2037-03-20T08:30:00z",
            "2037-03-20T08:30Z",
            "2037-03-20T24:00:00Z",
            "2037-03-20T08:30:60Z",
            "2037-03-20T08:30:00.1234567890Z",
            "2037-03-20T08:30:00.Z",
            "2037-03-20T08:30:00+24:00",
            "2037-03-20",
            "0000-03-20T08:30:00Z",
            "tomorrow",
            rule: .momentSyntax
        )
    }
}
