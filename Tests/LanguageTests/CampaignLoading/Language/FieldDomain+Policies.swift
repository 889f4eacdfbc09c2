import Diagnostics

extension FieldDomain {
    static func whole(_ field: String, _ range: ClosedRange<Int64>) -> FieldDomain {
        FieldDomain(
            field,
            inside: ["\(range.lowerBound)", "\(range.upperBound)"],
            outside: [
                ("\(range.lowerBound - 1)", .numberOutOfRange),
                ("\(range.upperBound + 1)", .numberOutOfRange),
                ("1.5", .wrongKind), ("many", .wrongKind),
            ]
        )
    }

    static func duration(_ field: String) -> FieldDomain {
        FieldDomain(
            field,
            inside: ["0", "90s", "1h30m", "60d"],
            outside: [
                ("60", .durationSyntax), ("1w", .durationSyntax), ("-1s", .durationSyntax),
                ("30m1h", .durationSyntax), ("\"\"", .durationSyntax),
            ]
        )
    }

    static func percentage(
        _ field: String,
        inside: [String] = ["0%", "0.01%", "100%", "100.00%"],
        outside: [(text: String, rule: RuleID)] = []
    ) -> FieldDomain {
        FieldDomain(
            field,
            inside: inside,
            outside: outside + [
                ("100.01%", .percentage), ("101%", .percentage), ("0.001%", .percentage),
                ("-1%", .percentage), ("half", .percentage), (".5%", .percentage),
                ("5 %", .percentage),
            ]
        )
    }

    static func threshold(_ field: String) -> FieldDomain {
        FieldDomain(
            field,
            inside: ["1", "5%", "100%", "1000000"],
            outside: [("0", .percentage), ("-1", .percentage), ("101%", .percentage)]
        )
    }

    static func moment(_ field: String, inside: String) -> FieldDomain {
        FieldDomain(
            field,
            inside: [inside],
            outside: [
                ("2037-02-29 07:30", .momentSyntax), ("2037-03-20", .momentSyntax),
                ("2037-03-20 24:00", .momentSyntax), ("tomorrow", .momentSyntax),
            ]
        )
    }

    static func choice(_ field: String, _ inside: String...) -> FieldDomain {
        FieldDomain(
            field,
            inside: inside,
            outside: [
                (inside[0].uppercased(), .unknownValue), ("never-that", .unknownValue),
                ("\"\"", .unknownValue),
            ]
        )
    }

    static let policies = [
        whole("a campaign revision", 1...1_000_000),
        whole("a campaign priority", -1_000...1_000),
        name("a campaign moved_from"),
        FieldDomain(
            "a campaign corrects",
            inside: [
                "catch-log", "catch-log/once/1", "'catch-log/2037-03-20T07:30[Asia/Kolkata]/12'",
                "\"catch-log/2037-03-20 07:30[UTC]/1\"",
            ],
            outside: [
                ("spring tide", .invalidName), ("\"\"", .invalidName),
                ("catch-log/once", .invalidName),
                ("catch-log/once/0", .invalidName), ("catch-log/once/01", .invalidName),
                ("catch-log/once/+1", .invalidName), ("catch-log//1", .invalidName),
                ("/once/1", .invalidName), ("catch-log/märz/1", .invalidName),
                ("nowhere", .unknownValue), ("nowhere/once/1", .unknownValue),
                ("catch-log/recall:once/1", .conflictingKeys),
                ("catch-correction", .conflictingKeys),
            ]
        ),
        name("a campaign experiment"),
        percentage(
            "a campaign holdout",
            inside: ["0.01%", "99.99%"],
            outside: [("0%", .numberOutOfRange), ("100%", .numberOutOfRange)]
        ),
        FieldDomain(
            "a campaign objective",
            inside: ["0.01% in 1s", "100% in 28d", "90% in 1h30m", "'99.95% in 90s'"],
            outside: [
                ("90", .percentage), ("90%", .durationSyntax), ("120% in 2m", .percentage),
                ("2m", .percentage), ("90 in 2m", .percentage), ("90% in", .percentage),
                ("90% in 2", .durationSyntax), ("90% in 2min", .durationSyntax),
                ("90% in 2m in 3m", .durationSyntax), ("90% within 2m", .percentage),
                ("0% in 2m", .numberOutOfRange), ("90% in 0s", .numberOutOfRange),
                ("90% in 28d1s", .numberOutOfRange), ("\"\"", .percentage),
            ]
        ),
        choice("a campaign on_unknown", "stop", "skip", "retry"),
        choice("`defaults` on_unknown", "stop", "skip", "retry"),
        choice("a shared message on_unknown", "stop", "skip", "retry"),
        choice("a campaign record", "ids", "counts"),
        FieldDomain(
            "a campaign cap",
            inside: ["exempt"],
            outside: [("none", .unknownValue), ("Exempt", .unknownValue)]
        ),
        whole("a variant weight", 0...1_000_000),
        FieldDomain(
            "`rollout` stages",
            inside: ["[1%]", "[1, 2, 3%]", "[0.01%, 100%]"],
            outside: [
                ("[]", .numberOutOfRange), ("[10%, «5%»]", .rolloutStages),
                ("[5%, «5%»]", .rolloutStages), ("[5%, «10»]", .rolloutStages),
                ("[10, «9»]", .rolloutStages), ("[«0»]", .percentage), ("[«101%»]", .percentage),
            ]
        ),
        FieldDomain(
            "`rollout` canary",
            inside: ["anglers", "'guests'"],
            outside: [
                ("spring tide", .invalidName), ("\"\"", .invalidName),
                ("nowhere", .unknownAudience),
                ("crew", .rolloutStages),
            ]
        ),
        duration("`rollout` pause"),
        flag("`recall` silent"),
        FieldDomain(
            "the notification of a recall title",
            inside: ["Sorry", "\"\"", "'{ name }'"],
            outside: [("'Dear {{name}}'", .unrenderedPlaceholder)]
        ),
        FieldDomain(
            "the notification of a recall body",
            inside: ["Sorry", "\"\"", "'{ name }'"],
            outside: [("'Dear {{name}}'", .unrenderedPlaceholder)]
        ),
        threshold("`stop_when` rejected"),
        threshold("`stop_when` unknown"),
        flag("`stop_when` held"),
        whole("`acknowledge` reach", 1...1_000_000_000_000),
        percentage("`acknowledge` dead"),
        whole("`acknowledge` change", 1...1_000_000_000_000),
        whole("an acknowledged change change", 1...1_000_000_000_000),
        moment("`delivery` expires", inside: "2037-03-20T18:00:30"),
        moment("`schedule` from", inside: "2037-01-02 18:00:01"),
        FieldDomain(
            "`schedule` until",
            inside: ["2037-03-20 07:30", "9999-12-31 23:59"],
            outside: [
                ("2037-03-20 07:29", .scheduleBounds), ("2037-02-29 07:30", .momentSyntax),
            ]
        ),
        FieldDomain(
            "`schedule` except",
            inside: ["[]", "[2037-01-02 18:00, 2037-01-09 18:00]"],
            outside: [("[«2037-01-02»]", .momentSyntax)]
        ),
        FieldDomain(
            "`schedule` cron",
            inside: ["\"*/15 * * * *\"", "0 9 L * *", "0 9 * * MON#2"],
            outside: [
                ("0 7 * *«»", .scheduleSyntax), ("0 «24» * * *", .scheduleSyntax),
                ("«60» * * * *", .scheduleSyntax), ("\"«@daily»\"", .scheduleSyntax),
                ("0 0 «31 2» *", .scheduleSyntax),
            ]
        ),
        FieldDomain(
            "`schedule` rrule",
            inside: ["FREQ=DAILY", "RRULE:FREQ=MONTHLY;BYDAY=-1FR;COUNT=3"],
            outside: [
                ("«INTERVAL=2»", .scheduleSyntax), ("FREQ=«SECONDLY»", .scheduleSyntax),
                ("FREQ=DAILY;COUNT=«0»", .scheduleSyntax),
            ]
        ),
        choice("`schedule` late", "skip", "send", "fail"),
        duration("`schedule` late_after"),
        duration("`schedule` jitter"),
        FieldDomain(
            "`schedule` during_quiet_hours",
            inside: ["send"],
            outside: [("hold", .unknownValue), ("Send", .unknownValue)]
        ),
        FieldDomain(
            "`audience` group",
            inside: [letters(256), "family/7"],
            outside: [
                (letters(257), .invalidName), ("two words", .invalidName), ("\"\"", .invalidName),
            ]
        ),
        flag("an audience rejoin"),
        choice("an audience transport", "auto", "batch", "per_registration"),
        flag("an audience test"),
        FieldDomain(
            "`registrations` file",
            inside: ["lists/a.csv", "a.ndjson"],
            outside: [("\"\"", .wrongKind)]
        ),
        choice("`registrations` kind", "token", "fid"),
        FieldDomain("`registrations` column", inside: ["r"], outside: [("\"\"", .invalidName)]),
        FieldDomain("`registrations` identity", inside: ["r"], outside: [("\"\"", .invalidName)]),
        FieldDomain("`registrations` covariate", inside: ["c"], outside: [("\"\"", .invalidName)]),
        FieldDomain(
            "`registrations` locale",
            inside: ["l"],
            outside: [("\"\"", .invalidName)]
        ),
        FieldDomain(
            "`registrations` timezone",
            inside: ["z"],
            outside: [("\"\"", .invalidName)]
        ),
        FieldDomain("`registrations` public_key", inside: ["k"], outside: [("\"\"", .invalidName)]),
        choice("`registrations` read", "at_apply", "at_send"),
        name("`removed` audience"),
        choice("`removed` members", "unsubscribe", "forget"),
    ]
}
