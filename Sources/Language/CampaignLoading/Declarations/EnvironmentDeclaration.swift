package import CampaignModel
import Diagnostics
import JSON
import Text
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
                "The project's built-in emulator, or with `url` a running one."
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
                "Where to store the applied state (default: `.herald/NAME.sqlite`)."
            ),
            .optional(
                "protected",
                \.protected,
                .flag,
                "Apply asks for the environment's name, even with `--yes`."
            ),
            .optional(
                "sends",
                \.sends,
                .choice,
                "With `apply`, apply sends at once. With `run`, apply records and `herald run` "
                    + "sends."
            ).later,
            .optional(
                "pace",
                \.pace,
                .mapping(PaceDeclaration.reader, from: .init()),
                "How much of the project's quotas to use."
            ),
            .optional(
                "guard",
                \.guards,
                .mapping(GuardDeclaration.reader, from: .init()),
                "Limits that an apply may not exceed."
            ),
            .optional(
                "settle",
                \.settle,
                .settle,
                "Settle delay between a join and a send to the same topic, 0 to 1h "
                    + "(default: 60s, or 0 with an emulator).",
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
                "Address of an emulator that runs on this machine.",
                examples: ["http://127.0.0.1:9099"]
            ),
            .optional(
                "ca",
                \.authority,
                .text,
                "Certificate authority file for an `https://` address.",
                examples: [".herald/emulator/ca.pem"]
            ),
            .optional(
                "credentials",
                \.credentials,
                .credentials,
                "Service account that requests access tokens from it: a key file or `env:NAME`.",
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
                "ID of the Firebase project.",
                examples: ["tidewatch-b5ae1"]
            ),
            .optional(
                "sender_id",
                \.senderID,
                .senderID,
                "Project number, which device groups require.",
                examples: ["1029384756"]
            ),
            .optional(
                "credentials",
                \.credentials,
                .credentials,
                "Source of credentials: `application-default`, `env:NAME`, or a key file.",
                examples: ["application-default", "env:FCM_KEY"]
            ),
            .optional(
                "endpoint",
                \.endpoint,
                .serverAddress,
                "Endpoint that replaces Google's hosts: a gateway's address, or for tests an "
                    + "address on this machine.",
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
                "Address of a PostgreSQL database.",
                examples: ["${HERALD_STATE_URL}"]
            ).later,
            .optional(
                "lineage",
                \.lineage,
                .text,
                "Identity of the expected state. `herald state init` writes it. "
                    + "`herald apply` requires it in an environment with `fcm`."
            ),
            .optional(
                "encryption",
                \.encryption,
                .mapping(EncryptionDeclaration.reader, from: .init()),
                "Encryption of stored registrations."
            ),
            .optional(
                "retain",
                \.retain,
                .retention,
                "How long to keep the outcome of each request after its send finished, at least "
                    + "`1d`. Counts are always kept (default: forever).",
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
                "Source of the key: `env:NAME`, a file, or `command:…` that prints it. 32 bytes as "
                    + "base64 or 64 hexadecimal digits.",
                examples: ["env:HERALD_STATE_KEY", "command:pass show herald/state"]
            ),
            .optional(
                "previous",
                \.previous,
                .keyReference,
                "Source of the previous key. The next apply switches the state to `key`.",
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
                "Messages per minute. FCM's quota is 600,000 unless it was raised.",
                examples: [600_000]
            ),
            .optional(
                "subscriptions_per_second",
                \.subscriptionsPerSecond,
                .integer(1...1_000_000),
                "Registrations to join or remove per second. FCM allows 3,000.",
                examples: [3_000]
            ),
            .optional(
                "fan_outs",
                \.fanOuts,
                .integer(1...Int64(Pace.maximumFanOuts)),
                "Concurrent topic, condition and group sends. One is recommended.",
                examples: [1]
            ),
            .optional(
                "fan_out_rate",
                \.fanOutRate,
                .integer(1...1_000_000_000),
                "App instances that a fan-out is assumed to reach per second. A send waits until "
                    + "the previous fan-out has finished.",
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
                "Maximum reach of one campaign. A larger campaign requires `acknowledge`.",
                examples: [50_000]
            ),
            .optional(
                "max_change",
                \.maximumChange,
                .percentage,
                "Maximum change of a managed membership in one apply, and of scheduled sends that "
                    + "it cancels.",
                examples: ["30%"]
            ),
            .optional(
                "max_sends_per_run",
                \.maximumSends,
                .integer(0...1_000_000_000_000),
                "Maximum number of messages that one apply may send.",
                examples: [1_000_000]
            ),
            .optional(
                "quiet_hours",
                \.quietHours,
                .mapping(QuietHoursDeclaration.reader, from: .init()),
                "Sends that come due in these hours are deferred until the hours end."
            ).later,
            .optional(
                "per_recipient",
                \.perRecipient,
                .mapping(CapDeclaration.reader, from: .init()),
                "Maximum messages per person. Above it, the person is left out."
            ).later,
            .optional(
                "require_reviewed_plan",
                \.requiresReviewedPlan,
                .flag,
                "Apply requires the digest of the reviewed plan."
            ),
            .optional(
                "allow_test",
                \.allowsTest,
                .flag,
                "Allow `test: true` topics and audiences although the environment is `protected`."
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
            .required("from", \.from, .timeOfDay, "Start of quiet hours.", examples: ["22:00"]),
            .required("to", \.to, .timeOfDay, "End of quiet hours.", examples: ["07:00"]),
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
            .optional("day", \.day, .integer(1...100_000), "Per 24 hours.", examples: [3]),
            .optional("week", \.week, .integer(1...100_000), "Per seven days.", examples: [10]),
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
