package import CampaignModel
import Diagnostics
import Text
import FCMWire
import JSON
package import Time
import YAMLSyntax

/// An entry of `environments:` as written.
package struct EnvironmentDeclaration: Sendable {
    package var emulator: Spanned<EmulatorDeclaration>?
    package var fcm: Spanned<FCMDeclaration>?
    package var state: Spanned<StateDeclaration>?
    package var protected: Spanned<Bool>?
    package var sends: Spanned<EnvironmentSettings.Sends>?
    package var pace: Spanned<PaceDeclaration>?
    package var guards: Spanned<GuardDeclaration>?
    package var settle: Spanned<Int64>?

    package static let reader = MappingReader<EnvironmentDeclaration>(
        "an environment",
        [
            .optional(
                "emulator",
                \.emulator,
                .emulator,
                "The project's own emulator, or with `url` one that runs."
            ),
            .optional(
                "fcm",
                \.fcm,
                .fcm,
                "A Firebase project."
            ),
            .optional(
                "state",
                \.state,
                .mapping(StateDeclaration.reader, from: .init()),
                "Where the applied state is kept; `.herald/NAME.sqlite` where nothing is said."
            ),
            .optional(
                "protected",
                \.protected,
                .flag,
                "Apply asks for the environment's name; `--yes` is not enough."
            ),
            .optional(
                "sends",
                \.sends,
                .choice,
                "`apply` sends at once; with `run` apply records and `herald run` sends."
            ).later,
            .optional(
                "pace",
                \.pace,
                .mapping(PaceDeclaration.reader, from: .init()),
                "How much of the project's quota is used."
            ),
            .optional(
                "guard",
                \.guards,
                .mapping(GuardDeclaration.reader, from: .init()),
                "What an apply may not exceed."
            ),
            .optional(
                "settle",
                \.settle,
                .settle,
                "The time between a join and a send to the same topic: 0 to 1 h; 60s where "
                    + "nothing is said, 0 with an emulator.",
                examples: ["60s"]
            ),
        ],
        oneOf: [["emulator", "fcm"]]
    )
}

/// A running emulator, or the project's own.
package struct EmulatorDeclaration: Sendable {
    package var url: Spanned<String>?
    package var authority: Spanned<String>?
    package var credentials: Spanned<FCMAccount.Credentials>?
    /// Whether an address is given but unknown.
    var isOpen = false

    package static let reader = MappingReader<EmulatorDeclaration>(
        "`emulator`",
        [
            .optional(
                "url",
                \.url,
                .emulatorURL,
                "The address of one that runs on this machine.",
                examples: ["http://127.0.0.1:9099"]
            ),
            .optional(
                "ca",
                \.authority,
                .text,
                "The certificate authority of an `https://` address, a file.",
                examples: [".herald/emulator/ca.pem"]
            ),
            .optional(
                "credentials",
                \.credentials,
                .credentials,
                "The service account that asks it for access tokens: a key file or `env:NAME`.",
                examples: ["keys/harbour.json", "env:EMULATOR_KEY"]
            ),
        ],
        needs: [.init("credentials", beside: "url"), .init("ca", beside: "url")]
    )
}

/// A Firebase project and the credentials to send for it.
package struct FCMDeclaration: Sendable {
    package var projectID: Spanned<String>?
    package var senderID: Spanned<String>?
    package var credentials: Spanned<FCMAccount.Credentials>?
    package var endpoint: Spanned<String>?
    /// Whether an address is given but unknown.
    var isOpen = false

    package static let reader = MappingReader<FCMDeclaration>(
        "`fcm`",
        [
            .required(
                "project_id",
                \.projectID,
                .projectID,
                "The Firebase project's id.",
                examples: ["tidewatch-b5ae1"]
            ),
            .optional(
                "sender_id",
                \.senderID,
                .senderID,
                "The project's number; device groups need it.",
                examples: ["1029384756"]
            ),
            .optional(
                "credentials",
                \.credentials,
                .credentials,
                "Where credentials come from: `application-default`, `env:NAME`, or a key file.",
                examples: ["application-default", "env:FCM_KEY"]
            ),
            .optional(
                "endpoint",
                \.endpoint,
                .serverAddress,
                "What is asked in place of Google's hosts: a gateway's address, or for tests one on "
                    + "this machine.",
                examples: ["https://fcm.gateway.example"]
            ),
        ]
    )
}

/// The place of the applied state.
package struct StateDeclaration: Sendable {
    package var postgres: Spanned<DatabaseAddress>?
    package var lineage: Spanned<String>?
    package var encryption: Spanned<EncryptionDeclaration>?
    package var retain: Spanned<Int64>?

    package static let reader = MappingReader<StateDeclaration>(
        "`state`",
        [
            .optional(
                "postgres",
                \.postgres,
                .databaseAddress,
                "The address of a PostgreSQL database.",
                examples: ["${HERALD_STATE_URL}"]
            ).later,
            .optional(
                "lineage",
                \.lineage,
                .text,
                "The state that is expected there; `herald state init` writes it."
            ),
            .optional(
                "encryption",
                \.encryption,
                .mapping(EncryptionDeclaration.reader, from: .init()),
                "Registrations are kept encrypted."
            ),
            .optional(
                "retain",
                \.retain,
                .retention,
                "How long the outcome of each single request is kept once its sending finished, at "
                    + "least `1d`; counts stay. For ever where nothing is said.",
                examples: ["90d"]
            ),
        ]
    )
}

/// The key that encrypts registrations at rest.
package struct EncryptionDeclaration: Sendable {
    package var key: Spanned<StateKeyReference>?
    package var previous: Spanned<StateKeyReference>?

    package static let reader = MappingReader<EncryptionDeclaration>(
        "`encryption`",
        [
            .required(
                "key",
                \.key,
                .keyReference,
                "Where the key lies: `env:NAME`, a file, or `command:…` that writes it. 32 bytes as "
                    + "base64 or 64 hexadecimal digits.",
                examples: ["env:HERALD_STATE_KEY", "command:pass show herald/state"]
            ),
            .optional(
                "previous",
                \.previous,
                .keyReference,
                "Where the key lies that was there before; the next apply brings the state under "
                    + "`key`.",
                examples: ["env:HERALD_FORMER_STATE_KEY"]
            ),
        ]
    )
}

/// The part of a Firebase project's quotas to use.
package struct PaceDeclaration: Sendable {
    package var sendsPerMinute: Spanned<Int64>?
    package var subscriptionsPerSecond: Spanned<Int64>?
    package var fanOuts: Spanned<Int64>?
    package var fanOutRate: Spanned<Int64>?

    package static let reader = MappingReader<PaceDeclaration>(
        "`pace`",
        [
            .optional(
                "sends_per_minute",
                \.sendsPerMinute,
                .integer(1...100_000_000),
                "Messages a minute; FCM's quota is 600,000 unless it was raised.",
                examples: [600_000]
            ),
            .optional(
                "subscriptions_per_second",
                \.subscriptionsPerSecond,
                .integer(1...1_000_000),
                "Registrations joined or taken out a second; FCM allows 3,000.",
                examples: [3_000]
            ),
            .optional(
                "fan_outs",
                \.fanOuts,
                .integer(1...Int64(Pace.maximumFanOuts)),
                "Topic, condition and group sends at once; one is advised.",
                examples: [1]
            ),
            .optional(
                "fan_out_rate",
                \.fanOutRate,
                .integer(1...1_000_000_000),
                "App instances that a fan-out is taken to reach a second; a send waits until the "
                    + "one before has reached all.",
                examples: [10_000]
            ),
        ]
    )
}

/// The limits of an apply.
package struct GuardDeclaration: Sendable {
    package var maximumRecipients: Spanned<Int64>?
    package var maximumChange: Spanned<Percentage>?
    package var quietHours: Spanned<QuietHoursDeclaration>?
    package var perRecipient: Spanned<CapDeclaration>?
    package var requiresReviewedPlan: Spanned<Bool>?
    package var maximumSends: Spanned<Int64>?
    package var allowsTest: Spanned<Bool>?

    package static let reader = MappingReader<GuardDeclaration>(
        "`guard`",
        [
            .optional(
                "max_recipients",
                \.maximumRecipients,
                .integer(0...1_000_000_000_000),
                "Of one campaign; over it the campaign must carry `acknowledge`.",
                examples: [50_000]
            ),
            .optional(
                "max_change",
                \.maximumChange,
                .percentage,
                "Of a managed membership in one apply, and of what is scheduled that one cancels.",
                examples: ["30%"]
            ),
            .optional(
                "max_sends_per_run",
                \.maximumSends,
                .integer(0...1_000_000_000_000),
                "Messages that one apply asks FCM for.",
                examples: [1_000_000]
            ),
            .optional(
                "quiet_hours",
                \.quietHours,
                .mapping(QuietHoursDeclaration.reader, from: .init()),
                "When nothing is sent: what comes due is held until they end."
            ).later,
            .optional(
                "per_recipient",
                \.perRecipient,
                .mapping(CapDeclaration.reader, from: .init()),
                "How many messages one person gets; over it the person is left out."
            ).later,
            .optional(
                "require_reviewed_plan",
                \.requiresReviewedPlan,
                .flag,
                "Apply needs the digest of the plan that was reviewed."
            ),
            .optional(
                "allow_test",
                \.allowsTest,
                .flag,
                "Campaigns may address what is `test: true`, though the environment is `protected`."
            ),
        ]
    )
}

/// A range of times of day; it passes midnight if the second is earlier.
package struct QuietHoursDeclaration: Sendable {
    package var from: Spanned<CivilTime>?
    package var to: Spanned<CivilTime>?

    package static let reader = MappingReader<QuietHoursDeclaration>(
        "`quiet_hours`",
        [
            .required("from", \.from, .timeOfDay, "Their beginning.", examples: ["22:00"]),
            .required("to", \.to, .timeOfDay, "Their end.", examples: ["07:00"]),
        ]
    )
}

/// The maximum number of messages to one person in 24 hours and in seven days.
package struct CapDeclaration: Sendable {
    package var day: Spanned<Int64>?
    package var week: Spanned<Int64>?

    package static let reader = MappingReader<CapDeclaration>(
        "`per_recipient`",
        [
            .optional("day", \.day, .integer(1...100_000), "In 24 hours.", examples: [3]),
            .optional("week", \.week, .integer(1...100_000), "In seven days.", examples: [10]),
        ]
    )
}

extension ValueReader where Value == EmulatorDeclaration {
    fileprivate static let emulator = ValueReader(
        .mapping(EmulatorDeclaration.reader.schema)
    ) { node, log in
        var emulator = EmulatorDeclaration()
        guard EmulatorDeclaration.reader.read(node, into: &emulator, &log) else { return nil }
        let isWritten = node.entries?.contains { $0.key.scalar?.text == "url" } ?? false
        emulator.isOpen = isWritten && emulator.url == nil
        return emulator
    }
}

extension ValueReader where Value == FCMDeclaration {
    fileprivate static let fcm = ValueReader(.mapping(FCMDeclaration.reader.schema)) { node, log in
        var fcm = FCMDeclaration()
        guard FCMDeclaration.reader.read(node, into: &fcm, &log) else { return nil }
        let isWritten = node.entries?.contains { $0.key.scalar?.text == "endpoint" } ?? false
        fcm.isOpen = isWritten && fcm.endpoint == nil
        return fcm
    }
}
