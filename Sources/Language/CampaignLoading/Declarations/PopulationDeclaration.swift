package import CampaignModel
import Diagnostics
import FCMWire
import JSON

/// The population that `herald simulate` uses, as written.
package struct PopulationDeclaration: Sendable {
    package var population: Spanned<Identifier<PopulationDeclaration>>?
    package var about: Spanned<String>?
    package var size: Spanned<Int64>?
    package var platforms: Spanned<PlatformSharesDeclaration>?
    package var online: Spanned<HabitSharesDeclaration>?
    package var dozing: Spanned<Percentage>?
    package var uninstalling: Spanned<Percentage>?
    package var backgroundDelay: Spanned<Int64>?
    package var topics: Spanned<[NamedEntry<Topic, Percentage>]>?

    package init() {}

    package static let reader = MappingReader<PopulationDeclaration>(
        "a population",
        [
            .required(
                "population",
                \.population,
                .identifier(),
                "The population's name.",
                examples: ["anglers"]
            ),
            .optional("about", \.about, .text, "Who they are, in a sentence."),
            .required(
                "size",
                \.size,
                .integer(1...10_000_000),
                "How many devices there are.",
                examples: [1_000_000]
            ),
            .optional(
                "platforms",
                \.platforms,
                .mapping(PlatformSharesDeclaration.reader, from: .init()),
                "What kinds of devices; 70% Android, 25% Apple and 5% web where nothing is said."
            ),
            .optional(
                "online",
                \.online,
                .mapping(HabitSharesDeclaration.reader, from: .init()),
                "When they are connected; 60% always, 25% in daytime, 12% now and then and 3% "
                    + "never where nothing is said."
            ),
            .optional(
                "dozing",
                \.dozing,
                .percentage,
                "Android devices that doze at night; 40% where nothing is said.",
                examples: ["40%"]
            ),
            .optional(
                "uninstalling",
                \.uninstalling,
                .percentage,
                "Devices from which the app is removed in the days that are played; 1% where "
                    + "nothing is said.",
                examples: ["1%"]
            ),
            .optional(
                "background_delay",
                \.backgroundDelay,
                .duration,
                "The longest time that Android lets a message of normal priority wait for an app "
                    + "in the background; each waits a part of it by chance. None where nothing "
                    + "is said.",
                examples: ["10m"]
            ),
            .optional(
                "topics",
                \.topics,
                .named(by: .topic, .percentage),
                "How many are subscribed; for others their declared reach counts."
            ),
        ]
    )
}

/// Shares of platforms; the sum is 100%.
package struct PlatformSharesDeclaration: Sendable {
    package var android: Spanned<Percentage>?
    package var apple: Spanned<Percentage>?
    package var web: Spanned<Percentage>?

    package static let reader = MappingReader<PlatformSharesDeclaration>(
        "`platforms`",
        [
            .optional("android", \.android, .percentage, "Phones with Android."),
            .optional("apple", \.apple, .percentage, "Devices of Apple's."),
            .optional("web", \.web, .percentage, "Browsers."),
        ]
    )

    var shares: [Spanned<Percentage>] { [android, apple, web].compactMap(\.self) }
}

/// Shares of connectivity profiles; the sum is 100%.
package struct HabitSharesDeclaration: Sendable {
    package var always: Spanned<Percentage>?
    package var daytime: Spanned<Percentage>?
    package var nowAndThen: Spanned<Percentage>?
    package var never: Spanned<Percentage>?

    package static let reader = MappingReader<HabitSharesDeclaration>(
        "`online`",
        [
            .optional("always", \.always, .percentage, "Connected day and night."),
            .optional(
                "daytime",
                \.daytime,
                .percentage,
                "From about seven in the morning to about eleven at night."
            ),
            .optional(
                "now_and_then",
                \.nowAndThen,
                .percentage,
                "An hour a day, each day another."
            ),
            .optional("never", \.never, .percentage, "Not seen for 45 days, and not coming back."),
        ]
    )

    var shares: [Spanned<Percentage>] { [always, daytime, nowAndThen, never].compactMap(\.self) }
}

extension PopulationDeclaration {
    /// Checks relations between keys.
    func check(_ log: inout DiagnosticLog) {
        if let platforms { check("platforms", platforms.value.shares, at: platforms.span, &log) }
        if let online { check("online", online.value.shares, at: online.span, &log) }
    }

    private func check(
        _ key: String,
        _ shares: [Spanned<Percentage>],
        at span: SourceSpan,
        _ log: inout DiagnosticLog
    ) {
        let sum = shares.reduce(0) { $0 + $1.value.basisPoints }
        guard sum != 10_000 else { return }
        let hundredths = sum % 100 == 0 ? "" : "." + String(String(100 + sum % 100).dropFirst())
        log.report(
            Diagnostic(
                rule: .percentage,
                message: "the shares of `\(key)` add up to \(sum / 100)\(hundredths)%",
                span: span,
                help: ["make them add up to 100%"]
            )
        )
    }
}
