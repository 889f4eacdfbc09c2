import Diagnostics
import Text

extension FieldDomain {
    static let campaigns = [
        name("a campaign campaign"),
        FieldDomain(
            "a campaign environments",
            inside: ["[local]", "[production, workbench]"],
            outside: element([("spring tide", .invalidName), ("nowhere", .unknownValue)])
                + [("[]", .numberOutOfRange)]
        ),
        FieldDomain(
            "a campaign extends",
            inside: ["harbour", "'harbour'"],
            outside: [("spring tide", .invalidName), ("nowhere", .unknownMessage)]
        ),
        FieldDomain(
            "a campaign audience",
            inside: ["{ topic: tides }"],
            outside: [
                ("spring tide", .invalidName), ("«{}»", .missingKey),
                ("{ topic: tides, «condition»: \"'tides' in topics\" }", .conflictingKeys),
            ]
        ),
        names("a campaign exclude"),
        FieldDomain(
            "`audience` topic",
            inside: ["tides", "/topics/tides"],
            outside: topicText
        ),
        FieldDomain(
            "`audience` condition",
            inside: [
                "\"'tides' in topics || 'azores' in topics || 'madeira' in topics || "
                    + "'regatta' in topics || 'beta' in topics\"",
                "'''tides''in topics'",
            ],
            outside: [
                (
                    "\"«'a' in topics || 'b' in topics || 'c' in topics || 'd' in topics || "
                        + "'e' in topics || 'f' in topics»\"", .conditionTopics
                ),
                ("\"'tides' «t»opics\"", .conditionSyntax),
                ("\"'«ti/des»' in topics\"", .topicName),
                ("\"'tides' in topics «n»ot\"", .conditionSyntax),
            ]
        ),
        FieldDomain(
            "`audience` registrations",
            inside: ["[\(letters(4096))]"],
            outside: element(registrationText) + [("\"\"", .wrongKind)]
        ),
        FieldDomain(
            "`delivery` ttl",
            inside: ["0", "0s", "28d", "2419200s", "27d24h", "1h30m"],
            outside: [
                ("28d1s", .ttlOutOfRange), ("2419201s", .ttlOutOfRange),
                ("1.5h", .durationSyntax), ("-1s", .durationSyntax), ("30m1h", .durationSyntax),
                ("60", .durationSyntax), ("1w", .durationSyntax), ("\"\"", .durationSyntax),
                ("9223372036854775808s", .durationSyntax),
                ("106751991167301d", .durationSyntax),
            ]
        ),
        FieldDomain(
            "`delivery` priority",
            inside: ["normal", "high"],
            outside: [("HIGH", .unknownValue), ("urgent", .unknownValue)]
        ),
        FieldDomain(
            "`delivery` collapse",
            inside: [letters(32), "a-B_9"],
            outside: [
                (letters(33), .webTopicSyntax), ("a.b", .webTopicSyntax),
                ("\"\"", .webTopicSyntax),
            ]
        ),
        FieldDomain(
            "`schedule` at",
            inside: ["2037-02-28 23:59", "\"2036-02-29 00:00\""],
            outside: [
                ("2037-02-29 07:30", .momentSyntax), ("2037-03-20 24:00", .momentSyntax),
                ("2037-03-20", .momentSyntax), ("2037-13-01 00:00", .momentSyntax),
                ("2037-03-20 07:30Z", .momentSyntax),
            ]
        ),
        zone("`schedule` timezone"),
        FieldDomain("`schedule` at_column", inside: ["t"], outside: [("\"\"", .invalidName)]),
        name("an audience audience"),
        FieldDomain(
            "an audience registrations",
            inside: ["[\(letters(4096))]"],
            outside: element(registrationText) + [("\"\"", .wrongKind)]
        ),
        names("an audience union"),
        names("an audience all_of"),
        names("an audience except"),
        FieldDomain(
            "an audience subscribe",
            inside: ["[]", "[tides, /topics/azores]"],
            outside: element(topicText)
        ),
    ]

    /// A list of names of audiences.
    private static func names(_ field: String) -> FieldDomain {
        FieldDomain(
            field,
            inside: ["[skippers]", "['skippers']"],
            outside: element([("spring tide", .invalidName), ("nowhere", .unknownAudience)])
                + [("[]", .numberOutOfRange), ("[skippers, «skippers»]", .duplicateName)]
        )
    }

    static let devices = [
        name("a group of devices devices"),
        name("a device name"),
        FieldDomain(
            "a device platform",
            inside: ["android", "apple", "web"],
            outside: [("ios", .unknownValue), ("Android", .unknownValue)]
        ),
        FieldDomain(
            "a device registration",
            inside: [letters(4096), "\"!#$%&()*+-./:<=>?@[]^_`{|}~\""],
            outside: registrationText
        ),
        flag("a device online"),
        flag("a device foreground"),
        flag("a device doze"),
        flag("a device force_stopped"),
        FieldDomain(
            "a device topics",
            inside: ["[]", "[tides]"],
            outside: element(topicText)
        ),
    ]
}
