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

    static let messages =
        androidMessages + appleMessages + webMessages + [
            image("`notification` image"), label("`fcm_options` analytics_label"),
        ]

    static func image(_ field: String) -> FieldDomain {
        oneOf(
            field,
            ["http://a", "https://a/%20?b=c#d", "https://häfen.example"],
            "https://",
            "ftp://a",
            "//a",
            "\"https://a b\"",
            "\"https://a\\n\"",
            "HTTPS://a",
            rule: .invalidURL
        )
    }

    static func count(_ field: String) -> FieldDomain {
        FieldDomain(
            field,
            inside: ["0", "2147483647"],
            outside: [
                ("-1", .numberOutOfRange), ("2147483648", .numberOutOfRange), ("two", .wrongKind),
            ]
        )
    }

    static func zeroOrOne(_ field: String) -> FieldDomain {
        FieldDomain(
            field,
            inside: ["0", "1"],
            outside: [
                ("2", .numberOutOfRange), ("-1", .numberOutOfRange), ("true", .wrongKind),
            ]
        )
    }

    static func share(_ field: String) -> FieldDomain {
        FieldDomain(
            field,
            inside: ["0", "1", "0.5", "1.0", ".5", "1e-3"],
            outside: [
                ("-0.01", .numberOutOfRange), ("1.01", .numberOutOfRange),
                ("1e400", .numberOutOfRange), ("half", .wrongKind), ("50%", .wrongKind),
            ]
        )
    }

    /// A UNIX time in seconds.
    static func seconds(_ field: String) -> FieldDomain {
        FieldDomain(
            field,
            inside: ["0", "99999999999"],
            outside: [
                ("-1", .numberOutOfRange), ("100000000000", .numberOutOfRange),
                ("1.5", .wrongKind), ("2037-03-20T08:30:00Z", .wrongKind),
            ]
        )
    }

    static func choice(
        _ field: String,
        _ inside: [String],
        _ outside: String...
    ) -> FieldDomain {
        FieldDomain(field, inside: inside, outside: outside.map { ($0, .unknownValue) })
    }

    static func texts(_ field: String) -> FieldDomain {
        FieldDomain(
            field,
            inside: ["[]", "[a, 1, 4.20, no]"],
            outside: [
                ("[«[a]»]", .wrongKind), ("[a, «{ b: c }»]", .wrongKind), ("[«~»]", .wrongKind),
            ]
        )
    }
}
