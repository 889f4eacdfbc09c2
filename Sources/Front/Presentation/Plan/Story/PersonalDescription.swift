import CampaignMessages
import CampaignModel
import FCMWire
import JSON
import Planning

/// How the text of a message differs from row to row of its list.
package struct PersonalDescription: Hashable, Sendable {
    /// The maximum number of example fields.
    private static let maximumExamples = 5

    /// The texts that contain values, with sample values, such as `title` and `Hello ‹name›`.
    package let examples: [PlatformDescription.Field]
    private let columns: [PersonalText.Column]
    /// Nil if the list is not read yet.
    private let count: Int?

    init(_ personal: PersonalText, of template: MessageTemplate) {
        columns = personal.columns
        count = personal.count
        let (message, sample) = (template.preview.message, personal.sample.preview.message)
        var examples: [PlatformDescription.Field] = []
        for platform in Platform.allCases {
            let templates = EffectiveMessage(of: message, on: platform).fields
                .filter { $0.value.wording.contains("{{") }.map(\.path)
            for field in EffectiveMessage(of: sample, on: platform).fields
            where templates.contains(field.path) {
                let name = FieldName(field.path, on: platform)
                let example = PlatformDescription.Field(
                    path: name.text,
                    value: name.wording(field.value)
                )
                if !examples.contains(example) { examples.append(example) }
            }
        }
        for (field, sample) in zip(
            template.sealed?.fields ?? [],
            personal.sample.sealed?.fields ?? []
        ) where field.value.wording.contains("{{") {
            examples.append(
                PlatformDescription.Field(
                    path: field.path.joined(separator: "."),
                    value: sample.value.wording
                )
            )
        }
        self.examples = Array(examples.prefix(Self.maximumExamples))
    }

    /// Says how many rows have values.
    ///
    /// `quote`: quotes the names and values of columns, which are untrusted.
    func sentences(quoting quote: (String) -> String) -> [String] {
        guard let count else { return requirements(quoting: quote) }
        let whole = columns.filter { $0.defaulted == 0 }.map { quote($0.name) }
        let rows = count == 1 ? "The row has" : "All \(count.grouped) rows have"
        let all = whole.isEmpty ? [] : ["\(rows) a value for \(whole.joined(by: "and"))."]
        return all
            + columns.filter { $0.defaulted > 0 }.map { column -> String in
                let verbs = column.defaulted == 1 ? ("has", "gets") : ("have", "get")
                return
                    "\(column.defaulted.grouped) of \(count.counting("row")) \(verbs.0) no value "
                    + "for \(quote(column.name)) and \(verbs.1) \(quote(column.standard ?? ""))."
            }
    }

    /// Says which values the rows must have.
    private func requirements(quoting quote: (String) -> String) -> [String] {
        let required = columns.filter { $0.standard == nil }.map { quote($0.name) }
        return
            (required.isEmpty
            ? []
            : [
                "Each row must have a value for \(required.joined(by: "and")); if one has none, "
                    + "nothing is sent to any row."
            ])
            + columns.compactMap { column in
                column.standard.map {
                    "Rows without a value for \(quote(column.name)) get \(quote($0))."
                }
            }
    }
}
