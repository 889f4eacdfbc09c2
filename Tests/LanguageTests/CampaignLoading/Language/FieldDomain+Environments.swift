import Diagnostics
import Text

extension FieldDomain {
    static let environments = [
        flag("a topic test"),
        credentials("`emulator` credentials"),
        FieldDomain(
            "`fcm` project_id",
            inside: ["abcdef", "a-2345", letters(30), "123456789012"],
            outside: [
                ("abcde", .invalidName), (letters(31), .invalidName), ("Abcdef", .invalidName),
                ("1abcde", .invalidName), ("abcde-", .invalidName), ("abc_def", .invalidName),
            ]
        ),
        FieldDomain(
            "`fcm` sender_id",
            inside: ["1", "12345678901234567890"],
            outside: [
                ("0123", .invalidName), ("123456789012345678901", .invalidName),
                ("12a", .invalidName), ("\"\"", .invalidName),
            ]
        ),
        credentials("`fcm` credentials"),
        FieldDomain(
            "`fcm` endpoint",
            inside: [
                "https://fcm.gateway.example", "https://A-1.example:8443/", "http://127.0.0.1:9099",
                "\"http://[::1]:1/\"", "https://127.0.0.2", "http://LocalHost", "https://a:65535",
                "\"https://[2001:db8::1]\"",
            ],
            outside: [
                ("http://fcm.gateway.example", .invalidURL), ("http://127.0.0.2", .invalidURL),
                ("https://gateway.example/v1", .invalidURL), ("https://a?b", .invalidURL),
                ("https://me@gateway.example", .invalidURL), ("\"https://a:\"", .invalidURL),
                ("https://a:65536", .invalidURL), ("https://a:01", .invalidURL),
                ("https://-a.example", .invalidURL), ("https://a_b", .invalidURL),
                ("gateway.example", .invalidURL), ("\"https://[::g]\"", .invalidURL),
                ("https://", .invalidURL), ("\"\"", .invalidURL),
            ]
        ),
        FieldDomain(
            "`state` postgres",
            inside: ["postgres://db/h", "\"${ANY_NAME}\"", "\"postgresql://u:${PW}@db/h\""],
            outside: [
                ("mysql://db/h", .invalidURL), ("postgres://", .invalidURL),
                ("\"«${»}\"", .environmentVariable), ("\"«${»9X}\"", .environmentVariable),
                ("\"a«${»OPEN\"", .environmentVariable),
            ]
        ),
        FieldDomain(
            "`state` retain",
            inside: ["1d", "24h", "90d"],
            outside: [
                ("90", .durationSyntax), ("23h", .numberOutOfRange), ("0", .numberOutOfRange),
            ]
        ),
        keyReference("`encryption` key"),
        keyReference("`encryption` previous"),
        flag("an environment protected"),
        choice("an environment sends", "apply", "run"),
        FieldDomain(
            "an environment settle",
            inside: ["0", "90s", "60m", "1h"],
            outside: [
                ("60", .durationSyntax), ("-1s", .durationSyntax), ("1h1s", .numberOutOfRange),
                ("60d", .numberOutOfRange),
            ]
        ),
        whole("an environment max_unknown", 2...100_000),
        variable("`notify` webhook"),
        variable("`notify` secret"),
        FieldDomain(
            "a selection of campaigns names",
            inside: ["[]", "[Tide-2.b_c, \(letters(64))]"],
            outside: element([
                (letters(65), .invalidName), ("spring tide", .invalidName), ("tíde", .invalidName),
            ])
        ),
        whole("`pace` sends_per_minute", 1...100_000_000),
        whole("`pace` subscriptions_per_second", 1...1_000_000),
        whole("`pace` fan_outs", 1...1_000),
        whole("`pace` fan_out_rate", 1...1_000_000_000),
        whole("`guard` max_recipients", 0...1_000_000_000_000),
        percentage("`guard` max_change"),
        time("`quiet_hours` from"),
        time("`quiet_hours` to"),
        FieldDomain.duration("`quiet_hours` spread"),
        whole("`per_recipient` day", 1...100_000),
        whole("`per_recipient` week", 1...100_000),
        flag("`guard` require_reviewed_plan"),
        whole("`guard` max_sends_per_run", 0...1_000_000_000_000),
        flag("`guard` allow_test"),
        whole("`approvals` need", 1...20),
        whole("`approvals` over", 0...1_000_000_000_000),
        flag("`approvals` not_author"),
        FieldDomain(
            "`approvals` valid",
            inside: ["1m", "24h", "30d"],
            outside: [
                ("24", .durationSyntax), ("59s", .numberOutOfRange), ("0", .numberOutOfRange),
                ("721h", .numberOutOfRange),
            ]
        ),
    ]

    private static func credentials(_ field: String) -> FieldDomain {
        FieldDomain(
            field,
            inside: ["application-default", "\"env:FCM_KEY\"", "keys/harbour.json"],
            outside: [
                ("\"env:\"", .invalidName), ("\"env:9KEY\"", .invalidName), ("\"\"", .invalidName),
                ("AIzaSyA1234567890abcdefghijklmnopqrstuv", .credentialInFile),
            ]
        )
    }

    static func variable(_ field: String) -> FieldDomain {
        FieldDomain(
            field,
            inside: ["\"env:HOOK_1\"", "env:_k"],
            outside: [
                ("\"env:\"", .invalidName), ("env:9K", .invalidName), ("HOOK", .invalidName),
                ("https://hooks.example/T0", .invalidName), ("\"\"", .invalidName),
            ]
        )
    }

    private static func keyReference(_ field: String) -> FieldDomain {
        let digits = String(repeating: "0aF9", count: 16)
        let base64 = String(repeating: "Az+/", count: 10) + "Az0="
        return FieldDomain(
            field,
            inside: [
                "\"env:K\"", "keys/state.key", "\"command:pass show herald/state\"",
                String(digits.dropLast()), digits + "0", String(base64.dropLast()),
            ],
            outside: [
                ("\"env:\"", .invalidName), ("\"env:A-B\"", .invalidName), ("\"\"", .invalidName),
                ("\"command:\"", .invalidName), ("\"command:  \"", .invalidName),
                (digits, .credentialInFile), (base64, .credentialInFile),
            ]
        )
    }

    private static func time(_ field: String) -> FieldDomain {
        FieldDomain(
            field,
            inside: ["\"00:00\"", "23:59", "07:30:15"],
            outside: [
                ("24:00", .momentSyntax), ("7:30", .momentSyntax), ("07:60", .momentSyntax),
                ("noon", .momentSyntax),
            ]
        )
    }
}
