import Diagnostics

/// Values of a field at the limits of its domain.
struct FieldDomain: Sendable {
    /// The table's subject and the key.
    let field: String
    let inside: [String]
    /// Each with its rule; `«…»` marks the place if it is not the whole value.
    let outside: [(text: String, rule: RuleID)]

    init(
        _ field: String,
        inside: [String],
        outside: [(text: String, rule: RuleID)]
    ) {
        self.field = field
        self.inside = inside
        self.outside = outside
    }

    static let all =
        project + environments + sources + campaigns + policies + messages + devices
        + upstream

    static func letters(_ count: Int) -> String {
        String(repeating: "a", count: count)
    }

    static func name(_ field: String) -> FieldDomain {
        FieldDomain(
            field,
            inside: [letters(64), "0", "Tide-2.b_c"],
            outside: [
                (letters(65), .invalidName), ("-tide", .invalidName), (".tide", .invalidName),
                ("spring tide", .invalidName), ("\"\"", .invalidName), ("tíde", .invalidName),
            ]
        )
    }

    static func zone(_ field: String) -> FieldDomain {
        FieldDomain(
            field,
            inside: ["UTC", "America/New_York"],
            outside: [
                ("Europe/Belrin", .timeZone), ("CET", .timeZone), ("+01:00", .timeZone),
            ]
        )
    }

    static func flag(_ field: String) -> FieldDomain {
        FieldDomain(
            field,
            inside: ["true", "false"],
            outside: [("yes", .wrongKind), ("True", .wrongKind), ("1", .wrongKind)]
        )
    }

    static let project = [
        FieldDomain(
            "the project version",
            inside: ["1"],
            outside: [
                ("2", .unsupportedVersion), ("0", .unsupportedVersion),
                ("-1", .numberOutOfRange), ("1.0", .wrongKind),
            ]
        ),
        name("the project project"),
        zone("the project timezone"),
        percentage(
            "the project global_holdout",
            inside: ["0.01%", "99.99%"],
            outside: [("0%", .numberOutOfRange), ("100%", .numberOutOfRange)]
        ),
        FieldDomain(
            "a topic reach",
            inside: ["0", "1000000000000"],
            outside: [
                ("-1", .numberOutOfRange), ("1000000000001", .numberOutOfRange),
                ("9223372036854775808", .numberOutOfRange), ("1e3", .wrongKind),
                ("4.5", .wrongKind),
            ]
        ),
        FieldDomain(
            "`emulator` url",
            inside: [
                "http://127.0.0.1", "http://localhost:65535", "\"http://[::1]:1/\"",
                "http://127.0.0.1/", "https://127.0.0.1:9443",
            ],
            outside: [
                ("\"http://127.0.0.1:\"", .invalidURL),
                ("http://127.0.0.1:65536", .invalidURL), ("http://127.0.0.1:0", .invalidURL),
                ("https://127.0.0.2", .invalidURL),
                ("http://127.0.0.2", .invalidURL), ("http://127.0.0.1.example", .invalidURL),
                ("http://localhost@example", .invalidURL), ("http://localhost:1/x", .invalidURL),
                ("http://localhost:+1", .invalidURL), ("http://localhost//", .invalidURL),
            ]
        ),
    ]

    static let topicText: [(text: String, rule: RuleID)] = [
        (letters(901), .topicName), ("ti/des", .topicName), ("tídes", .topicName),
        ("\"\"", .topicName), ("/topics/", .topicName), ("spring tide", .topicName),
    ]

    static let registrationText: [(text: String, rule: RuleID)] = [
        (letters(4097), .invalidRegistration), ("two words", .invalidRegistration),
        ("\"\"", .invalidRegistration), ("'a,b'", .invalidRegistration),
        ("ü", .invalidRegistration),
    ]

    static func element(
        _ outside: [(text: String, rule: RuleID)]
    ) -> [(text: String, rule: RuleID)] {
        outside.map { ("[«\($0.text)»]", $0.rule) }
    }

    /// Text without limits, free values, and values composed of fields that have domains.
    static let unbounded =
        [
            "the project topics", "the project recall", "a campaign recall",
            "`recall` notification",
            "the project defaults", "the project environments",
            "the project rules", "the project sources", "a topic about", "an environment emulator",
            "an environment fcm",
            "an environment lists", "an environment only", "an environment except",
            "an environment defaults", "a selection of campaigns labels",
            "an environment state", "an environment pace", "an environment guard",
            "an environment notify", "`emulator` ca",
            "`state` lineage", "`state` encryption", "`guard` quiet_hours", "`guard` per_recipient",
            "`guard` approvals", "`approvals` signers", "`approvals` revoked",
            "`defaults` owner", "`defaults` message", "`defaults` delivery", "`defaults` labels",
            "a campaign about", "a campaign owner", "a campaign message", "a campaign labels",
            "a campaign delivery", "a campaign schedule", "a campaign variants",
            "a campaign locales",
            "a campaign rollout", "a campaign acknowledge", "a campaign reason",
            "a campaign encrypt", "`encrypt` placeholder", "`placeholder` title",
            "`placeholder` body",
            "a variant message",
            "`rollout` stop_when", "`acknowledge` reason", "`schedule` reason",
            "an audience about", "an audience owner", "an audience labels",
            "an audience acknowledge", "an acknowledged change reason", "a removal removed",
            "a removal acknowledge", "an audience columns", "a column default",
            "an upstream rule about", "an upstream rule match", "an upstream rule reply",
            "`match` data",
            "an environment upstream",
            "a group of messages messages", "a group of messages about",
            "a shared message notification", "a shared message data", "a shared message android",
            "a shared message android_v2", "a shared message apns", "a shared message webpush",
            "a shared message fcm_options", "a shared message owner", "a shared message labels",
            "a shared message delivery",
            "a group of devices about", "a group of devices phones",
        ] + unboundedMessages
}
