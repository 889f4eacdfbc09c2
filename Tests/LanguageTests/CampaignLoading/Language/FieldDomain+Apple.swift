import Diagnostics
import Text

extension FieldDomain {
    static let appleMessages =
        appleHeaders + aps + alert + [
            zeroOrOne("`aps.sound` critical"), share("`aps.sound` volume"),
            label("`apns.fcm_options` analytics_label"), image("`apns.fcm_options` image"),
            oneOf(
                "`apns` live_activity_token",
                [letters(4096), "80a1b2", "\"!~\""],
                letters(4097),
                "two words",
                "\"\"",
                "ü",
                rule: .invalidRegistration
            ),
        ]

    private static let appleHeaders = [
        oneOf(
            "`apns.headers` apns-push-type",
            [
                "alert", "background", "complication", "controls", "fileprovider", "liveactivity",
                "location", "mdm", "pushtotalk", "voip", "widgets",
            ],
            "Alert",
            "data"
        ),
        oneOf("`apns.headers` apns-priority", ["5", "\"10\""], "2", "high", "05"),
        oneOf(
            "`apns.headers` apns-expiration",
            ["0", "99999999999", "\"2147483647\""],
            "-1",
            "1.5",
            "4h",
            "100000000000",
            "\"\""
        ),
        oneOf(
            "`apns.headers` apns-collapse-id",
            [letters(64), String(repeating: "潮", count: 21)],
            letters(65),
            String(repeating: "潮", count: 22),
            "\"\"",
            rule: .collapseIDTooLong
        ),
        oneOf(
            "`apns.headers` apns-topic",
            ["com.example.App-2", "com.example.app.push-type.liveactivity", "app"],
            "com..app",
            ".app",
            "app.",
            "com.example/app",
            "com.example_app",
            "\"\""
        ),
        oneOf(
            "`apns.headers` apns-id",
            ["eabeae54-14a8-11e5-b60b-1697f925ec7b", "EABEAE54-14A8-11E5-B60B-1697F925EC7B"],
            "eabeae54-14a8-11e5-b60b-1697f925ec7",
            "eabeae54-14a8-11e5-b60b-1697f925ec7bb",
            "gabeae54-14a8-11e5-b60b-1697f925ec7b",
            "eabeae5414a811e5b60b1697f925ec7b",
            "\"{eabeae54-14a8-11e5-b60b-1697f925ec7b}\"",
            "\"\""
        ),
    ]

    private static let aps = [
        count("`aps` badge"), zeroOrOne("`aps` content-available"),
        zeroOrOne("`aps` mutable-content"), zeroOrOne("`aps` input-push-token"),
        texts("`aps` url-args"),
        choice(
            "`aps` interruption-level",
            ["passive", "active", "time-sensitive", "critical"],
            "timeSensitive",
            "high"
        ),
        FieldDomain(
            "`aps` relevance-score",
            inside: ["0", "0.75", "1", "100", "1e3"],
            outside: [
                ("-0.1", .numberOutOfRange), ("-1", .numberOutOfRange),
                ("1e400", .numberOutOfRange), ("high", .wrongKind),
            ]
        ),
        choice("`aps` event", ["start", "update", "end"], "stop", "Start"),
        seconds("`aps` timestamp"), seconds("`aps` stale-date"), seconds("`aps` dismissal-date"),
    ]

    private static let alert = [
        texts("`aps.alert` title-loc-args"), texts("`aps.alert` subtitle-loc-args"),
        texts("`aps.alert` loc-args"), count("`aps.alert` summary-arg-count"),
    ]
}
