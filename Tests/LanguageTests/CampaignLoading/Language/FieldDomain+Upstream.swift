import Diagnostics

extension FieldDomain {
    static let upstream = [
        name("an upstream rule upstream"),
        FieldDomain(
            "an upstream rule subscribe",
            inside: ["[azores]", "[madeira, /topics/azores]"],
            outside: element(topicText) + [("[]", .numberOutOfRange)]
        ),
        FieldDomain(
            "an upstream rule unsubscribe",
            inside: ["[beta]", "[madeira, tides]"],
            outside: element(topicText) + [("[]", .numberOutOfRange)]
        ),
        flag("an upstream rule opt_out"),
        name("an upstream rule event"),
        FieldDomain(
            "an upstream rule campaign",
            inside: ["question", "'question'"],
            outside: [("spring tide", .invalidName), ("nowhere", .unknownValue)]
        ),
        FieldDomain(
            "an upstream rule append",
            inside: ["a.csv", "answers-2.b_c.ndjson", "\(letters(60)).csv"],
            outside: [
                ("answers.txt", .invalidName), ("answers", .invalidName), (".csv", .invalidName),
                ("../answers.csv", .invalidName), ("a/answers.csv", .invalidName),
                ("\(letters(61)).csv", .invalidName), ("\"\"", .invalidName),
            ]
        ),
        FieldDomain(
            "`match` category",
            inside: ["com.example.harbour", "x"],
            outside: [("\"\"", .invalidName)]
        ),
        FieldDomain(
            "`upstream` sender_id",
            inside: ["1", "12345678901234567890"],
            outside: [
                ("0123", .invalidName), ("123456789012345678901", .invalidName),
                ("12a", .invalidName), ("\"\"", .invalidName),
            ]
        ),
        variable("`upstream` server_key"),
    ]
}
