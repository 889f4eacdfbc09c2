import CampaignModel

/// Renders the topics of a registry as code for an app: constants, and functions that subscribe and unsubscribe.
///
/// A topic's name has no character that ends a string in one of the languages. Other text is only in comments.
package struct TopicCodeView: Sendable {
    package enum Language: Sendable {
        case swift
        case objectiveC
        case kotlin
        case javaScript
    }

    private let language: Language

    package init(_ language: Language) {
        self.language = language
    }

    package func render(_ topics: TopicList) -> String {
        let constants = topics.entries.map { comment($0) + constant($0) + "\n" }.joined()
        return switch language {
        case .swift: SwiftTopics.file(constants, project: topics.project)
        case .objectiveC: ObjectiveCTopics.file(constants, project: topics.project)
        case .kotlin: KotlinTopics.file(constants, project: topics.project)
        case .javaScript: JavaScriptTopics.file(constants, project: topics.project)
        }
    }

    private var indent: String { language == .objectiveC ? "" : "    " }

    private func comment(_ entry: TopicList.Entry) -> String {
        guard let about = entry.description.about?.onOneLine, !about.isEmpty else { return "" }
        // A backslash at the end of a line would continue the comment in Objective-C, and `\u` is an escape in
        // comments of some languages.
        return indent + (language == .swift ? "/// " : "// ")
            + about.replacing("\\", with: " ").onOneLine + "\n"
    }

    private func constant(_ entry: TopicList.Entry) -> String {
        let name = entry.topic.name
        return switch language {
        case .swift: "    case `\(entry.words.camelCased)` = \"\(name)\""
        case .objectiveC:
            "static NSString *const HeraldTopic\(entry.words.map(\.capitalizedWord).joined()) = @\"\(name)\";"
        case .kotlin:
            "    const val \(entry.words.joined(separator: "_").uppercased()) = \"\(name)\""
        case .javaScript: "    \(entry.words.camelCased): \"\(name)\","
        }
    }
}

extension [String] {
    fileprivate var camelCased: String {
        prefix(1).joined() + dropFirst().map(\.capitalizedWord).joined()
    }
}

extension String {
    fileprivate var capitalizedWord: String { prefix(1).uppercased() + dropFirst() }
}
