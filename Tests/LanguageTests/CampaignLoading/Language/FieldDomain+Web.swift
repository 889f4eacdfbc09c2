import Diagnostics
import Text

extension FieldDomain {
    static let webMessages = [
        oneOf(
            "`webpush.headers` TTL",
            ["0", "2419200", "007"],
            "2419201",
            "-1",
            "60s",
            "\"\"",
            rule: .ttlOutOfRange
        ),
        oneOf(
            "`webpush.headers` Urgency",
            ["very-low", "low", "normal", "high"],
            "HIGH",
            "medium"
        ),
        oneOf(
            "`webpush.headers` Topic",
            [letters(32)],
            letters(33),
            "a.b",
            "\"\"",
            rule: .webTopicSyntax
        ),
        label("`webpush.fcm_options` analytics_label"),
        oneOf(
            "`webpush.fcm_options` link",
            ["https://a"],
            "https://",
            "http://a",
            "harbour.example",
            "\"https://a b\"",
            rule: .invalidURL
        ),
        choice("`webpush.notification` dir", ["auto", "ltr", "rtl"], "left", "LTR"),
        flag("`webpush.notification` renotify"), flag("`webpush.notification` requireInteraction"),
        flag("`webpush.notification` silent"),
        FieldDomain(
            "`webpush.notification` vibrate",
            inside: ["[]", "[0, 2147483647]"],
            outside: [
                ("[«-1»]", .numberOutOfRange), ("[200, «2147483648»]", .numberOutOfRange),
                ("[«200ms»]", .wrongKind), ("[«1.5»]", .wrongKind),
            ]
        ),
        FieldDomain(
            "`webpush.notification` timestamp",
            inside: ["0", "8640000000000000"],
            outside: [
                ("-1", .numberOutOfRange), ("8640000000000001", .numberOutOfRange),
                ("2037-03-20T08:30:00Z", .wrongKind),
            ]
        ),
    ]
}
