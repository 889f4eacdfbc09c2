import CampaignModel
import JSON
import RegistrationLists
import State

/// The part of a list that a reviewer approves: the content of a file, or the definition and the
/// size of a source's output.
struct ReviewedList {
    let count: Int
    /// Nil for a source, whose rows change between review and apply.
    let id: ListID?
    /// Nil for a file.
    let source: JSONValue?

    static let shape = JSONShape<ReviewedList>(
        "Size of the list, and its content hash or the definition of its source.",
        [
            .required("count", .count, about: "Number of registrations.") { $0.count },
            .optional("id", .contentID, about: "Hash of the registrations.") { $0.id?.text },
            .optional(
                "source",
                .anyObject,
                about: "Definition of the source whose output is the list."
            ) { $0.source },
        ]
    )

    var content: JSONValue { .object(Self.shape.json(of: self)) }
}

extension Planner {
    /// What a reviewer approves of a list, with the columns that a message uses.
    func reviewedList(
        _ list: RegistrationList,
        _ survey: ListSurvey,
        for columns: MessageColumns? = nil
    ) -> ReviewedList {
        if case .described(let file) = list, let id = file.source, let source = project.sources[id]
        {
            let definition = SourceDefinition(source: source, list: file, columns: columns)
            return ReviewedList(count: survey.count, id: nil, source: definition.content)
        }
        let message = columns.flatMap { survey[$0] }
        return ReviewedList(count: survey.count, id: message?.id ?? survey.id, source: nil)
    }
}

/// Everything that decides which rows a source writes and what is used of them.
private struct SourceDefinition {
    let source: ListSource
    let list: RegistrationFile
    let columns: MessageColumns?

    var content: JSONValue {
        var content: JSONObject = [
            "name": .string(source.id.rawValue),
            "format": .string(source.format.rawValue),
            "kind": .string(list.kind.rawValue),
            "timeout": .integer(source.timeout),
            SourceDrift.key: .string(source.maximumDrift.description),
        ]
        switch source.origin {
        case .command(let command):
            content["command"] = .array(command.arguments.map { .string($0) })
            if !command.variables.isEmpty {
                content["environment"] = .array(command.variables.map { .string($0) })
            }
        case .query(let query):
            content["postgres"] = .string("${\(query.variable)}")
            content["query"] = .string(query.text)
        }
        content["column"] = list.column.map { .string($0) }
        content["identity"] = list.identity.map { .string($0) }
        content["locale"] = list.locale.map { .string($0) }
        content["timezone"] = list.timeZone.map { .string($0) }
        content["public_key"] = list.publicKey.map { .string($0) }
        if let columns { content["columns"] = .object(used(columns)) }
        return .object(content)
    }

    /// The columns with their defaults; null for a column without one.
    private func used(_ columns: MessageColumns) -> JSONObject {
        var used = JSONObject()
        for name in columns.names.sorted() {
            used[name] = columns.defaults[name].map { .string($0) } ?? .null
        }
        return used
    }
}

extension JSONType where Value == String {
    /// A SHA-256 in hexadecimal digits.
    static let contentID = JSONType.text(pattern: "^[0-9a-f]{64}$")
}
