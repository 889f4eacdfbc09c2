import CampaignModel
import JSON
import RegistrationLists
import State

/// The part of a list that a reviewer approves: the content of a file, the definition and the size
/// of a source's output, or these of each list of a set that contains a source.
struct ReviewedList {
    let count: Int
    /// Nil for a list with rows of a source, which change between review and apply.
    let id: ListID?
    /// Nil unless the list is the output of a source.
    let source: JSONValue?
    /// Nil unless the list is a set that contains the output of a source.
    let set: JSONValue?

    init(count: Int, id: ListID? = nil, source: JSONValue? = nil, set: JSONValue? = nil) {
        self.count = count
        self.id = id
        self.source = source
        self.set = set
    }

    static let shape = JSONShape<ReviewedList>(
        "Size of the list, and its content hash, the definition of its source, or the lists of the "
            + "set.",
        [
            .required("count", .count, about: "Number of registrations.") { $0.count },
            .optional("id", .contentID, about: "Hash of the registrations.") { $0.id?.text },
            .optional(
                "source",
                .anyObject,
                about: "Definition of the source whose output is the list."
            ) { $0.source },
            .optional(
                "set",
                .anyObject,
                about: "Lists of the set, if one is the output of a source."
            ) { $0.set },
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
            return ReviewedList(count: survey.count, source: definition.content)
        }
        if case .set(let set) = list, !list.sources.isEmpty, let composition = survey.composition {
            return ReviewedList(
                count: survey.count,
                set: reviewedSet(set, composition, for: columns)
            )
        }
        return ReviewedList(count: survey.count, id: survey.contentID(for: columns))
    }

    private func reviewedSet(
        _ set: ListSet,
        _ composition: ListComposition,
        for columns: MessageColumns?
    ) -> JSONValue {
        var identity: [String] = []
        if case .identity(let names) = composition.basis { identity = names }
        let lists = zip(set.parts, composition.parts).map { reviewed($0, $1, for: columns) }
        let excluded = zip(set.excluded, composition.excluded).map { reviewed($0, $1, for: nil) }
        return .object([
            "operation": .string(set.operation.rawValue),
            "identity": .array(identity.map { .string($0) }),
            "lists": .array(lists),
            "except": .array(excluded),
        ])
    }

    private func reviewed(
        _ part: ListSet.Part,
        _ counted: ListComposition.Part,
        for columns: MessageColumns?
    ) -> JSONValue {
        let survey = try? surveys[part.list]?.get()
        var list: ReviewedList
        if part.list.sources.isEmpty {
            list = ReviewedList(count: counted.count, id: counted.id)
        } else if let survey {
            list = reviewedList(part.list, survey, for: columns)
        } else {
            list = ReviewedList(count: counted.count)
        }
        guard case .object(var content) = list.content else { return list.content }
        content["list"] = counted.name.map { .string($0) } ?? .null
        if list.id != nil, let columns, let survey {
            content["values"] = .string(survey.contentID(for: columns).text)
        }
        return .object(content)
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
