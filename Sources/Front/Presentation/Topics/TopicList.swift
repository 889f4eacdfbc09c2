package import CampaignModel

/// The topics of a project's registry, by name, each with an identifier for code.
package struct TopicList: Sendable {
    package struct Entry: Sendable {
        package let topic: Topic
        package let description: TopicDescription
        /// The words of the name, in lower case.
        ///
        /// Two entries never have the same letters.
        package let words: [String]
    }

    package let project: String
    package let entries: [Entry]

    package init(_ project: Project) {
        self.init(project: project.id.rawValue, topics: project.topics)
    }

    package init(project: String, topics: [Topic: TopicDescription]) {
        self.project = project
        var seen: Set<String> = []
        entries = topics.sorted { $0.key < $1.key }.map { topic, description in
            var words = Self.words(of: topic.name)
            var number = 2
            while !seen.insert(words.joined()).inserted {
                words = Self.words(of: topic.name) + ["\(number)"]
                number += 1
            }
            return Entry(topic: topic, description: description, words: words)
        }
    }

    /// `breaking-news.de` has the words `breaking`, `news` and `de`; `2037` has `topic` and `2037`.
    private static func words(of name: String) -> [String] {
        let words = name.split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }.map {
            $0.lowercased()
        }
        guard let first = words.first?.first, !first.isNumber, !taken.contains(words.joined())
        else {
            return ["topic"] + words
        }
        return words
    }

    /// Names that members of the generated code, or of every type, have already.
    private static let taken: Set = [
        "allcases", "allcasesiterator", "class", "hash", "hashvalue", "init", "protocol",
        "rawvalue", "self", "subscribe",
        "type", "unsubscribe",
    ]
}
