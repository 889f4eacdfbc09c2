import Diagnostics

extension FieldDomain {
    static func oneOf(
        _ field: String,
        _ inside: [String],
        _ outside: String...,
        rule: RuleID = .invalidHeader
    ) -> FieldDomain {
        FieldDomain(field, inside: inside, outside: outside.map { ($0, rule) })
    }

    static func label(_ field: String) -> FieldDomain {
        FieldDomain(
            field,
            inside: [letters(50), "\"a-B_9.~%\""],
            outside: [
                (letters(51), .invalidName), ("\"\"", .invalidName), ("two words", .invalidName),
                ("a/b", .invalidName),
            ]
        )
    }

    static let messages = [
        oneOf(
            "`android` priority",
            ["normal", "high", "NORMAL", "HIGH"],
            "High",
            "max",
            rule: .unknownValue
        ),
        oneOf(
            "`android` ttl",
            ["0s", "2419200s", "2419200.0s", "2419199.999999999s"],
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
        oneOf("`apns.headers` apns-priority", ["1", "5", "\"10\""], "2", "high", "05"),
        oneOf(
            "`apns.headers` apns-expiration",
            ["0", "9223372036854775807"],
            "-1",
            "1.5",
            "4h",
            "9223372036854775808",
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
        FieldDomain(
            "`aps` badge",
            inside: ["0", "2147483647"],
            outside: [
                ("-1", .numberOutOfRange), ("2147483648", .numberOutOfRange), ("two", .wrongKind),
            ]
        ),
        oneOf("`aps` content-available", ["0", "1"], "2", "-1", rule: .numberOutOfRange),
        oneOf("`aps.sound` critical", ["0", "1"], "2", "-1", rule: .numberOutOfRange),
        oneOf("`aps` mutable-content", ["0", "1"], "2", "-1", rule: .numberOutOfRange),
        oneOf(
            "`webpush.headers` TTL",
            ["0", "2419200"],
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
        label("`fcm_options` analytics_label"),
        label("`webpush.fcm_options` analytics_label"),
        oneOf(
            "`webpush.fcm_options` link",
            ["https://a"],
            "https://",
            "http://a",
            "harbour.example",
            rule: .invalidURL
        ),
    ]
}
