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
    package var maximumUnknown: Spanned<Int64>?
    package var notify: Spanned<NotifyDeclaration>?
    package var upstream: Spanned<UpstreamAccountDeclaration>?
    package var lists: Spanned<[NamedEntry<AudienceID, EnvironmentList>]>?
    package var only: Spanned<CampaignSelectionDeclaration>?
    package var except: Spanned<CampaignSelectionDeclaration>?
    package var defaults: Spanned<DefaultsDeclaration>?

    package static let reader = MappingReader<EnvironmentDeclaration>(
        "an environment",
        fields: [
            .optional(
                "emulator",
                at: \.emulator,
                as: .emulator,
                about: "The project's built-in emulator, or with `url` a running one."
            ),
            .optional(
                "fcm",
                at: \.fcm,
                as: .fcm,
                about: "A Firebase project."
            ),
            .optional(
                "state",
                at: \.state,
                as: .state,
                about: "Where to store the applied state (default: `.herald/NAME.sqlite`)."
            ),
            .optional(
                "protected",
                at: \.protected,
                as: .flag,
                about: "Apply asks for the environment's name, even with `--yes`."
            ),
            .optional(
                "sends",
                at: \.sends,
                as: .choice,
                about:
                    "With `apply`, apply sends at once. With `run`, apply records and `herald run` "
                    + "sends (default: `apply`)."
            ),
            .optional(
                "pace",
                at: \.pace,
                as: .mapping(PaceDeclaration.reader, from: .init()),
                about: "How much of the project's quotas to use."
            ),
            .optional(
                "guard",
                at: \.guards,
                as: .mapping(GuardDeclaration.reader, from: .init()),
                about: "Limits that an apply may not exceed."
            ),
            .optional(
                "settle",
                at: \.settle,
                as: .settle,
                about: "Settle delay between a join and a send to the same topic, 0 to 1h "
                    + "(default: 60s, or 0 with an emulator).",
                examples: ["60s"]
            ),
            .optional(
                "max_unknown",
                at: \.maximumUnknown,
                as: .integer(EnvironmentSettings.maximumUnknownRange),
                about:
                    "Maximum number of requests that a crash may leave unknown, which bounds the open "
                    + "requests (default: 4000).",
                examples: [4_000]
            ),
            .optional(
                "notify",
                at: \.notify,
                as: .mapping(NotifyDeclaration.reader, from: .init()),
                about:
                    "Webhook that `herald run` and `herald apply --due` report held, stopped, expired "
                    + "and finished sends to.",
                examples: [["webhook": "env:HERALD_WEBHOOK"]]
            ),
            .optional(
                "upstream",
                at: \.upstream,
                as: .mapping(UpstreamAccountDeclaration.reader, from: .init()),
                about: "App server that receives the messages of devices, for `herald listen`.",
                examples: [["sender_id": "1029384756", "server_key": "env:UPSTREAM_SERVER_KEY"]]
            ),
            .optional(
                "lists",
                at: \.lists,
                as: .named(by: .identifier(), of: .environmentList),
                about:
                    "File of each audience in this environment. With `lists`, every audience needs an "
                    + "entry.",
                examples: [["beta-anglers": "campaigns/registrations/staging-beta.txt"]]
            ),
            .optional(
                "only",
                at: \.only,
                as: .campaignSelection,
                about: "Campaigns that belong to this environment (default: all).",
                examples: [["labels": ["stage": "ready"]], ["names": ["spring-tide-warning"]]]
            ),
            .optional(
                "except",
                at: \.except,
                as: .campaignSelection,
                about: "Campaigns that do not belong to this environment.",
                examples: [["labels": ["stage": "draft"]]]
            ),
            .optional(
                "defaults",
                at: \.defaults,
                as: .mapping(DefaultsDeclaration.reader, from: .init()),
                about:
                    "Defaults of this environment, merged over the project's. Null removes a default."
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
        fields: [
            .optional(
                "url",
                at: \.url,
                as: .emulatorURL,
                about: "Address of an emulator that runs on this machine.",
                examples: ["http://127.0.0.1:9099"]
            ),
            .optional(
                "ca",
                at: \.authority,
                as: .text,
                about: "Certificate authority file for an `https://` address.",
                examples: [".herald/emulator/ca.pem"]
            ),
            .optional(
                "credentials",
                at: \.credentials,
                as: .credentials,
                about:
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
        fields: [
            .required(
                "project_id",
                at: \.projectID,
                as: .projectID,
                about: "ID of the Firebase project.",
                examples: ["tidewatch-b5ae1"]
            ),
            .optional(
                "sender_id",
                at: \.senderID,
                as: .senderID,
                about: "Project number, which device groups require.",
                examples: ["1029384756"]
            ),
            .optional(
                "credentials",
                at: \.credentials,
                as: .credentials,
                about: "Source of credentials: `application-default`, `env:NAME`, or a key file.",
                examples: ["application-default", "env:FCM_KEY"]
            ),
            .optional(
                "endpoint",
                at: \.endpoint,
                as: .serverAddress,
                about:
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
    /// Whether the state is in PostgreSQL, even if the address is unknown.
    var isInPostgres = false
    package var lineage: Spanned<String>?
    package var encryption: Spanned<EncryptionDeclaration>?
    package var retain: Spanned<Int64>?

    package static let reader = MappingReader<StateDeclaration>(
        "`state`",
        fields: [
            .optional(
                "postgres",
                at: \.postgres,
                as: .databaseAddress,
                about: "Address of the PostgreSQL database that has the state (default: a file in "
                    + "`.herald`).",
                examples: ["${HERALD_STATE_URL}"]
            ),
            .optional(
                "lineage",
                at: \.lineage,
                as: .text,
                about: "Identity of the expected state. `herald state init` writes it. "
                    + "`herald apply` requires it in an environment with `fcm`."
            ),
            .optional(
                "encryption",
                at: \.encryption,
                as: .mapping(EncryptionDeclaration.reader, from: .init()),
                about: "Encryption of stored registrations."
            ),
            .optional(
                "retain",
                at: \.retain,
                as: .retention,
                about:
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
        fields: [
            .required(
                "key",
                at: \.key,
                as: .keyReference,
                about:
                    "Source of the key: `env:NAME`, a file, or `command:…` that prints it. 32 bytes as "
                    + "base64 or 64 hexadecimal digits.",
                examples: ["env:HERALD_STATE_KEY", "command:pass show herald/state"]
            ),
            .optional(
                "previous",
                at: \.previous,
                as: .keyReference,
                about: "Source of the previous key. The next apply switches the state to `key`.",
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
        fields: [
            .optional(
                "sends_per_minute",
                at: \.sendsPerMinute,
                as: .integer(Pace.sendsPerMinuteRange),
                about: "Messages per minute. FCM's quota is 600,000 unless it was raised.",
                examples: [600_000]
            ),
            .optional(
                "subscriptions_per_second",
                at: \.subscriptionsPerSecond,
                as: .integer(1...1_000_000),
                about: "Registrations to join or remove per second. FCM allows 3,000.",
                examples: [3_000]
            ),
            .optional(
                "fan_outs",
                at: \.fanOuts,
                as: .integer(1...Int64(Pace.maximumFanOuts)),
                about: "Concurrent topic, condition and group sends. One is recommended.",
                examples: [1]
            ),
            .optional(
                "fan_out_rate",
                at: \.fanOutRate,
                as: .integer(1...1_000_000_000),
                about:
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
    package var approvals: Spanned<ApprovalsDeclaration>?

    package static let reader = MappingReader<GuardDeclaration>(
        "`guard`",
        fields: [
            .optional(
                "max_recipients",
                at: \.maximumRecipients,
                as: .integer(0...1_000_000_000_000),
                about: "Maximum reach of one campaign. A larger campaign requires `acknowledge`.",
                examples: [50_000]
            ),
            .optional(
                "max_change",
                at: \.maximumChange,
                as: .percentage,
                about:
                    "Maximum change of a managed membership in one apply, and of scheduled sends that "
                    + "it cancels.",
                examples: ["30%"]
            ),
            .optional(
                "max_sends_per_run",
                at: \.maximumSends,
                as: .integer(0...1_000_000_000_000),
                about: "Maximum number of messages that one apply may send.",
                examples: [1_000_000]
            ),
            .optional(
                "quiet_hours",
                at: \.quietHours,
                as: .quietHours,
                about: "Sends that come due in these hours are deferred until the hours end."
            ),
            .optional(
                "per_recipient",
                at: \.perRecipient,
                as: .mapping(CapDeclaration.reader, from: .init()),
                about:
                    "Maximum messages per person, in the person's time zone. Above it, the person is "
                    + "left out of sends to lists."
            ),
            .optional(
                "require_reviewed_plan",
                at: \.requiresReviewedPlan,
                as: .flag,
                about: "Apply requires the digest of the reviewed plan."
            ),
            .optional(
                "allow_test",
                at: \.allowsTest,
                as: .flag,
                about:
                    "Allow `test: true` topics and audiences although the environment is `protected`."
            ),
            .optional(
                "approvals",
                at: \.approvals,
                as: .mapping(ApprovalsDeclaration.reader, from: .init()),
                about: "Signed approvals that `herald apply --expect` needs."
            ),
        ]
    )
}

/// A range of times of day; it passes midnight if the second is earlier.
package struct QuietHoursDeclaration: Sendable {
    package var from: Spanned<CivilTime>?
    package var to: Spanned<CivilTime>?
    package var spread: Spanned<Int64>?

    package static let reader = MappingReader<QuietHoursDeclaration>(
        "`quiet_hours`",
        fields: [
            .required(
                "from",
                at: \.from,
                as: .timeOfDay,
                about: "Start of quiet hours.",
                examples: ["22:00"]
            ),
            .required(
                "to",
                at: \.to,
                as: .timeOfDay,
                about: "End of quiet hours.",
                examples: ["07:00"]
            ),
            .optional(
                "spread",
                at: \.spread,
                as: .duration,
                about:
                    "Sends that were held begin within this time after the end (default: 10m).",
                examples: ["10m"]
            ),
        ]
    )
}

/// The maximum number of messages to one person on a day and in a week.
package struct CapDeclaration: Sendable {
    package var day: Spanned<Int64>?
    package var week: Spanned<Int64>?

    package static let reader = MappingReader<CapDeclaration>(
        "`per_recipient`",
        fields: [
            .optional(
                "day",
                at: \.day,
                as: .integer(1...100_000),
                about: "Per calendar day.",
                examples: [3]
            ),
            .optional(
                "week",
                at: \.week,
                as: .integer(1...100_000),
                about: "Per ISO week, from Monday to Sunday.",
                examples: [10]
            ),
        ]
    )
}

extension ValueReader where Value == EmulatorDeclaration {
    fileprivate static let emulator = ValueReader(
        .mapping(EmulatorDeclaration.reader.schema)
    ) { node, log in
        var emulator = EmulatorDeclaration()
        guard EmulatorDeclaration.reader.read(node, into: &emulator, reportingTo: &log) else {
            return nil
        }
        let isWritten = node.entries?.contains { $0.key.scalar?.text == "url" } ?? false
        emulator.isOpen = isWritten && emulator.url == nil
        return emulator
    }
}

extension ValueReader where Value == StateDeclaration {
    fileprivate static let state = ValueReader(
        .mapping(StateDeclaration.reader.schema)
    ) { node, log in
        var state = StateDeclaration()
        guard StateDeclaration.reader.read(node, into: &state, reportingTo: &log) else {
            return nil
        }
        state.isInPostgres =
            node.entries?.contains { $0.key.scalar?.text == "postgres" } ?? false
        return state
    }
}

extension ValueReader where Value == FCMDeclaration {
    fileprivate static let fcm = ValueReader(.mapping(FCMDeclaration.reader.schema)) { node, log in
        var fcm = FCMDeclaration()
        guard FCMDeclaration.reader.read(node, into: &fcm, reportingTo: &log) else { return nil }
        let isWritten = node.entries?.contains { $0.key.scalar?.text == "endpoint" } ?? false
        fcm.isOpen = isWritten && fcm.endpoint == nil
        return fcm
    }
}
