import Diagnostics

extension FieldDomain {
    static let sources = [
        FieldDomain(
            "a source command",
            inside: ["[export]", "[./a, \"\", \"b c\", 7]"],
            outside: [("[]", .numberOutOfRange)]
        ),
        FieldDomain(
            "a source environment",
            inside: ["[]", "[A_1, _b]"],
            outside: element([
                ("9X", .environmentVariable), ("A-B", .environmentVariable),
                ("\"\"", .environmentVariable),
            ])
        ),
        choice("a source format", "text", "csv", "ndjson"),
        FieldDomain(
            "a source postgres",
            inside: ["\"${ANY_NAME}\"", "${_9}"],
            outside: [
                ("postgresql://db/h", .environmentVariable), ("\"\"", .environmentVariable),
                ("\"${A}x\"", .environmentVariable), ("\"$${A}\"", .environmentVariable),
                ("\"${}\"", .environmentVariable), ("\"${A}${B}\"", .environmentVariable),
            ]
        ),
        FieldDomain(
            "a source query",
            inside: ["VALUES (1)", "\" SELECT 1;\\n\""],
            outside: [("\"\"", .unknownValue), ("\" \\n\"", .unknownValue)]
        ),
        FieldDomain(
            "a source timeout",
            inside: ["1s", "60m", "1h"],
            outside: [
                ("60", .durationSyntax), ("0", .numberOutOfRange), ("1h1s", .numberOutOfRange),
            ]
        ),
        percentage("a source max_drift"),
        FieldDomain(
            "`registrations` source",
            inside: ["vips", "lapsed"],
            outside: [("spring tide", .invalidName), ("nowhere", .unknownValue)]
        ),
    ]
}
