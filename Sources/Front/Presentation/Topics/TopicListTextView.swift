import CampaignModel
package import JSON

/// Renders the topics of a registry, one per line.
package struct TopicListTextView: Sendable {
    private let style: TextStyle

    package init(style: TextStyle) {
        self.style = style
    }

    package func render(_ topics: TopicList) -> String {
        let width = topics.entries.map(\.topic.name.count).max() ?? 0
        return topics.entries.map { entry in
            let name = entry.topic.name
            let reach = entry.description.reach.map { "\($0) devices" }
            let facts = [entry.description.about?.onOneLine, reach].compactMap(\.self).joined(
                separator: ", "
            )
            let padding = String(repeating: " ", count: facts.isEmpty ? 0 : width - name.count + 2)
            return style.paint(name, in: .strong) + padding + facts + "\n"
        }.joined()
    }
}

/// Renders the topics of a registry as JSON.
package struct TopicListJSONView: Sendable {
    package init() {}

    /// Keys of each item: `topic`; `about` and `reach`, null if herald.yaml does not have them; `test`.
    package func value(_ topics: TopicList) -> JSONValue {
        .array(
            topics.entries.map { entry in
                .object([
                    "topic": .string(entry.topic.name),
                    "about": entry.description.about.map { .string($0) } ?? .null,
                    "reach": entry.description.reach.map { .integer(Int64($0)) } ?? .null,
                    "test": .bool(entry.description.isTest),
                ])
            }
        )
    }
}

extension String {
    /// The text without line breaks and control characters, which would end a comment in code.
    var onOneLine: String {
        let scalars = unicodeScalars.map { scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator: Unicode.Scalar(" ")
            default: scalar
            }
        }
        return String(String.UnicodeScalarView(scalars)).split(separator: " ").joined(
            separator: " "
        )
    }
}
