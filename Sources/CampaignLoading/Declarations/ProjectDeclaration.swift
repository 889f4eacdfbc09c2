package import CampaignModel
import Diagnostics
import YAMLSyntax

/// `herald.yaml` as written.
package struct ProjectDeclaration: Sendable {
    package var version: Spanned<Int64>?
    package var project: Spanned<ProjectID>?
    package var timezone: Spanned<String>?
    package var topics: Spanned<[NamedEntry<Topic, TopicDeclaration>]>?
    package var defaults: Spanned<DefaultsDeclaration>?
    package var environments: Spanned<[NamedEntry<EnvironmentID, EnvironmentDeclaration>]>?

    package init() {}

    package static let reader = MappingReader<ProjectDeclaration>(
        "the project",
        [
            .required("version", \.version, .version),
            .required("project", \.project, .identifier()),
            .optional("timezone", \.timezone, .text),
            .optional(
                "topics",
                \.topics,
                .named(by: .topic, .mapping(TopicDeclaration.reader, from: TopicDeclaration()))
            ),
            .optional(
                "defaults",
                \.defaults,
                .mapping(DefaultsDeclaration.reader, from: .init())
            ),
            .optional(
                "environments",
                \.environments,
                .named(
                    by: .identifier(),
                    .mapping(EnvironmentDeclaration.reader, from: EnvironmentDeclaration())
                )
            ),
        ],
        notBuilt: ["rules", "sources", "state", "removed", "labels"]
    )
}

package struct TopicDeclaration: Sendable {
    package var about: Spanned<String>?
    package var reach: Spanned<Int64>?

    package static let reader = MappingReader<TopicDeclaration>(
        "a topic",
        [
            .optional("about", \.about, .text),
            .optional("reach", \.reach, .integer(0...1_000_000_000_000)),
        ],
        notBuilt: ["test", "labels"]
    )
}

package struct EnvironmentDeclaration: Sendable {
    package var emulator: Spanned<EmulatorDeclaration>?

    package static let reader = MappingReader<EnvironmentDeclaration>(
        "an environment",
        [
            .required(
                "emulator",
                \.emulator,
                .mapping(EmulatorDeclaration.reader, from: .init())
            )
        ],
        notBuilt: ["fcm", "state", "protected", "sends", "pace", "guard", "rules", "settle"]
    )
}

package struct EmulatorDeclaration: Sendable {
    package var url: Spanned<String>?

    package static let reader = MappingReader<EmulatorDeclaration>(
        "`emulator`",
        [.optional("url", \.url, .emulatorURL)],
        notBuilt: ["ca"]
    )
}

extension ValueReader where Value == Int64 {
    fileprivate static let version = ValueReader { node, log in
        guard let number = ValueReader.integer(0...Int64.max).read(node, &log) else { return nil }
        guard number == 1 else {
            log.report(
                Diagnostic(
                    rule: .unsupportedVersion,
                    message: "version \(number) is not known",
                    span: node.span,
                    label: "this Herald reads version 1"
                )
            )
            return nil
        }
        return number
    }
}
