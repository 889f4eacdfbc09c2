package import CampaignModel
import Diagnostics
import JSON
import YAMLSyntax

/// An `upstream:` document as written: what to do with certain messages of devices.
package struct UpstreamDeclaration: Sendable {
    package var upstream: Spanned<UpstreamRuleID>?
    package var about: Spanned<String>?
    package var match: Spanned<UpstreamMatchDeclaration>?
    package var subscribe: Spanned<[Spanned<Topic>]>?
    package var unsubscribe: Spanned<[Spanned<Topic>]>?
    package var optOut: Spanned<Bool>?
    package var event: Spanned<Identifier<UpstreamEvent>>?
    package var campaign: Spanned<CampaignID>?
    package var append: Spanned<UpstreamFile>?
    package var reply: Spanned<MessageDeclaration>?

    package init() {}

    package static let reader = MappingReader<UpstreamDeclaration>(
        "an upstream rule",
        fields: [
            .required(
                "upstream",
                at: \.upstream,
                as: .identifier(),
                about: "Name of the rule for messages that devices send to their app server.",
                examples: ["leave-everything"]
            ),
            .optional(
                "about",
                at: \.about,
                as: .text,
                about: "One-sentence description of the rule."
            ),
            .required(
                "match",
                at: \.match,
                as: .upstreamMatch,
                about: "Messages that the rule applies to. All given conditions have to hold.",
                examples: [["data": ["action": "opt-out"]]]
            ),
        ] + actionFields,
        needs: [.init("event", beside: "campaign"), .init("campaign", beside: "event")]
    )

    private static let actionFields: [Field<UpstreamDeclaration>] = [
        .optional(
            "subscribe",
            at: \.subscribe,
            as: .list(of: .topic, atLeast: 1),
            about:
                "Topics that the next apply subscribes the sending registration to. Herald keeps it "
                + "subscribed until it sends a message that unsubscribes it.",
            examples: [["azores"]]
        ),
        .optional(
            "unsubscribe",
            at: \.unsubscribe,
            as: .list(of: .topic, atLeast: 1),
            about:
                "Topics that the next apply unsubscribes the sending registration from. No audience "
                + "subscribes it again until it sends a message that does.",
            examples: [["azores"]]
        ),
        .optional(
            "opt_out",
            at: \.optOut,
            as: .flag,
            about:
                "Skip the sending registration in every send to a list and unsubscribe it from all "
                + "managed topics, until `herald registrations opt-in` (default: false)."
        ),
        .optional(
            "event",
            at: \.event,
            as: .identifier(),
            about: "Event that `herald history` and `herald results` count for `campaign`.",
            examples: ["seen"]
        ),
        .optional(
            "campaign",
            at: \.campaign,
            as: .identifier(),
            about: "Campaign that the message answers.",
            examples: ["spring-tide-warning"]
        ),
        .optional(
            "append",
            at: \.append,
            as: .upstreamFile,
            about:
                "File in the folder of `--out` that the next run appends the message to, as a row of "
                + "CSV or as a line of NDJSON.",
            examples: ["answers.ndjson", "answers.csv"]
        ),
        .optional(
            "reply",
            at: \.reply,
            as: .message,
            about:
                "Message that the next run sends to the sending registration, with the keys of `message` of "
                + "a campaign and the same text for all.",
            examples: [
                ["notification": ["title": "Thank you", "body": "Your answer is recorded."]]
            ]
        ),
    ]
}

/// The conditions of an upstream rule.
package struct UpstreamMatchDeclaration: Sendable {
    package var category: Spanned<String>?
    package var data: Spanned<[NamedEntry<String, String>]>?
    /// Whether a condition is written that could not be read.
    var isDoubtful = false

    static let reader = MappingReader<UpstreamMatchDeclaration>(
        "`match`",
        fields: [
            .optional(
                "category",
                at: \.category,
                as: .upstreamText,
                about: "App that sent the message.",
                examples: ["com.example.tidewatch"]
            ),
            .optional(
                "data",
                at: \.data,
                as: .named(by: .upstreamText, of: .text),
                about: "Pairs that the message has, perhaps among others.",
                examples: [["action": "opt-out"]]
            ),
        ]
    )
}

extension ValueReader where Value == String {
    fileprivate static let upstreamText = ValueReader.scalar(
        ExpectedText("a text that is not empty", rule: .invalidName),
        schema: .text(TextForm(pattern: "[\\s\\S]+", lookalikes: .everything)),
        parse: { $0.isEmpty ? nil : $0 }
    )
}

extension ValueReader where Value == UpstreamMatchDeclaration {
    fileprivate static let upstreamMatch = ValueReader(
        .mapping(UpstreamMatchDeclaration.reader.schema)
    ) { node, log in
        var match = UpstreamMatchDeclaration()
        guard UpstreamMatchDeclaration.reader.read(node, into: &match, reportingTo: &log) else {
            return nil
        }
        let read = [match.category == nil, match.data == nil].count { !$0 }
        let entries = node.entries ?? []
        let written = entries.count { $0.key.scalar?.text.isAuthorsKey != true }
        let pairs = entries.first { $0.key.scalar?.text == "data" }?.value.entries?.count ?? 0
        let readPairs = (match.data?.value ?? []).count { $0.content != nil }
        match.isDoubtful = written > read || pairs > readPairs
        return match
    }
}

extension ValueReader where Value == UpstreamFile {
    fileprivate static let upstreamFile = ValueReader.scalar(
        ExpectedText(
            "the name of a file",
            rule: .invalidName,
            help:
                "write a name without a folder that ends in `.csv` or `.ndjson`, such as `answers.csv`"
        ),
        schema: .text(
            TextForm(pattern: "[A-Za-z0-9](?=.{0,63}$)[A-Za-z0-9._-]*\\.(csv|ndjson)")
        ),
        parse: { UpstreamFile($0) }
    )
}

/// The app server of an environment that receives the messages of devices.
package struct UpstreamAccountDeclaration: Sendable {
    package var senderID: Spanned<String>?
    package var serverKey: Spanned<VariableReference>?

    static let reader = MappingReader<UpstreamAccountDeclaration>(
        "`upstream`",
        fields: [
            .required(
                "sender_id",
                at: \.senderID,
                as: .senderID,
                about: "Project number, to which devices address their messages.",
                examples: ["1029384756"]
            ),
            .optional(
                "server_key",
                at: \.serverKey,
                as: .variableReference,
                about:
                    "Variable with the server key, which is the password of XMPP connections, as "
                    + "`env:NAME`.",
                examples: ["env:UPSTREAM_SERVER_KEY"]
            ),
        ]
    )
}
