package import CampaignModel
import Diagnostics
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
    package var timezones: Spanned<[NamedEntry<String, Percentage>]>?

    package init() {}

    package static let reader = MappingReader<PopulationDeclaration>(
        "a population",
        fields: [
            .required(
                "population",
                at: \.population,
                as: .identifier(),
                about: "Name of the population.",
                examples: ["anglers"]
            ),
            .optional(
                "about",
                at: \.about,
                as: .text,
                about: "One-sentence description of the population."
            ),
            .required(
                "size",
                at: \.size,
                as: .integer(1...10_000_000),
                about: "Number of devices.",
                examples: [1_000_000]
            ),
            .optional(
                "platforms",
                at: \.platforms,
                as: .mapping(PlatformSharesDeclaration.reader, from: .init()),
                about: "Shares of the platforms (default: 70% Android, 25% Apple, 5% web)."
            ),
            .optional(
                "online",
                at: \.online,
                as: .mapping(HabitSharesDeclaration.reader, from: .init()),
                about: "When devices are connected "
                    + "(default: 60% always, 25% in daytime, 12% now and then, 3% never)."
            ),
            .optional(
                "dozing",
                at: \.dozing,
                as: .percentage,
                about: "Share of Android devices that doze at night (default: 40%).",
                examples: ["40%"]
            ),
            .optional(
                "uninstalling",
                at: \.uninstalling,
                as: .percentage,
                about:
                    "Share of devices that remove the app during the simulated days (default: 1%).",
                examples: ["1%"]
            ),
            .optional(
                "background_delay",
                at: \.backgroundDelay,
                as: .duration,
                about:
                    "Longest delay of a normal-priority message to an Android app in the background. "
                    + "Each delay is a random part of it (default: none).",
                examples: ["10m"]
            ),
            .optional(
                "topics",
                at: \.topics,
                as: .named(by: .topic, of: .percentage),
                about: "Number of subscribers. For other topics, the declared reach counts."
            ),
            .optional(
                "timezones",
                at: \.timezones,
                as: .named(by: .text, of: .percentage),
                about: "Shares of the devices' time zones, by IANA name (default: the project's)."
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
        fields: [
            .optional("android", at: \.android, as: .percentage, about: "Share of Android phones."),
            .optional("apple", at: \.apple, as: .percentage, about: "Share of Apple devices."),
            .optional("web", at: \.web, as: .percentage, about: "Browsers."),
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
        fields: [
            .optional("always", at: \.always, as: .percentage, about: "Connected day and night."),
            .optional(
                "daytime",
                at: \.daytime,
                as: .percentage,
                about: "Connected from about 07:00 to about 23:00."
            ),
            .optional(
                "now_and_then",
                at: \.nowAndThen,
                as: .percentage,
                about: "Connected for an hour a day, at a different hour each day."
            ),
            .optional(
                "never",
                at: \.never,
                as: .percentage,
                about: "Not seen for 45 days, and never again."
            ),
        ]
    )

    var shares: [Spanned<Percentage>] { [always, daytime, nowAndThen, never].compactMap(\.self) }
}

extension PopulationDeclaration {
    /// Checks relations between keys.
    func check(_ log: inout DiagnosticLog) {
        if let platforms {
            check(
                "platforms",
                shares: platforms.value.shares.map(\.value),
                at: platforms.span,
                reportingTo: &log
            )
        }
        if let online {
            check(
                "online",
                shares: online.value.shares.map(\.value),
                at: online.span,
                reportingTo: &log
            )
        }
        if let timezones {
            check(
                "timezones",
                shares: timezones.value.compactMap(\.content),
                at: timezones.span,
                reportingTo: &log
            )
        }
    }

    private func check(
        _ key: String,
        shares: [Percentage],
        at span: SourceSpan,
        reportingTo log: inout DiagnosticLog
    ) {
        let sum = shares.reduce(0) { $0 + $1.basisPoints }
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
