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
        if case .described(let file) = list,
            let source = ListDefinition(file, in: project).source(for: columns)
        {
            return ReviewedList(count: survey.count, source: source)
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

extension Planner {
    /// The definition of a list that is read when its send begins: what decides which rows it has,
    /// without the rows.
    ///
    /// `columns`: those that the message uses.
    func definitionAtSend(of list: RegistrationList, for columns: MessageColumns?) -> JSONValue {
        var content = definition(of: list)
        content["read"] = .string(RegistrationFile.Reading.atSend.rawValue)
        content["columns"] = columns.map { .object($0.withDefaults) }
        return .object(content)
    }

    private func definition(of list: RegistrationList) -> JSONObject {
        switch list {
        case .file(let path):
            return [
                "path": .string(path), "format": .string(list.format.rawValue),
                "kind": .string(list.kind.rawValue),
            ]
        case .inline(let registrations):
            let lines = registrations.map { $0.token + "\n" }.joined()
            return ["inline": .string(ContentHash.of(lines))]
        case .described(let file): return ListDefinition(file, in: project).content
        case .set(let set):
            var identity: [String] = []
            if case .identity(let names) = set.basis { identity = names }
            return [
                "operation": .string(set.operation.rawValue),
                "identity": .array(identity.map { .string($0) }),
                "lists": .array(set.parts.map(definition)),
                "except": .array(set.excluded.map(definition)),
            ]
        }
    }

    private func definition(of part: ListSet.Part) -> JSONValue {
        var content = definition(of: part.list)
        content["list"] = part.audience.map { .string($0.rawValue) }
        return .object(content)
    }
}

/// What decides which rows a described list has, without the rows.
struct ListDefinition {
    private let list: RegistrationFile
    /// Nil for a file.
    private let origin: ListSource?

    init(_ list: RegistrationFile, in project: Project) {
        self.list = list
        origin = list.source.flatMap { project.sources[$0] }
    }

    /// The definition of the list's source and of the columns; nil for a file.
    ///
    /// `columns`: those that a message uses.
    func source(for columns: MessageColumns?) -> JSONValue? {
        origin.map { source in
            var content = content(of: source)
            content[SourceDrift.key] = .string(source.maximumDrift.description)
            addUse(to: &content)
            content["columns"] = columns.map { .object($0.withDefaults) }
            return .object(content)
        }
    }

    /// The definition of a list whose size is not reviewed: `max_drift` has no effect on it.
    var content: JSONObject {
        var content = JSONObject()
        if let origin {
            content["source"] = .object(self.content(of: origin))
        } else {
            content["path"] = .string(list.path)
            content["format"] = .string(list.format.rawValue)
        }
        addUse(to: &content)
        return content
    }

    private func content(of source: ListSource) -> JSONObject {
        var content: JSONObject = [
            "name": .string(source.id.rawValue),
            "format": .string(source.format.rawValue),
            "timeout": .integer(source.timeout),
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
        return content
    }

    /// Adds what is used of the rows.
    private func addUse(to content: inout JSONObject) {
        content["kind"] = .string(list.kind.rawValue)
        content["column"] = list.column.map { .string($0) }
        content["identity"] = list.identity.map { .string($0) }
        content["locale"] = list.locale.map { .string($0) }
        content["timezone"] = list.timeZone.map { .string($0) }
        content["public_key"] = list.publicKey.map { .string($0) }
        content["covariate"] = list.covariate.map { .string($0) }
    }
}

extension MessageColumns {
    /// The columns with their defaults; null for a column without one.
    fileprivate var withDefaults: JSONObject {
        var columns = JSONObject()
        for name in names.sorted() { columns[name] = defaults[name].map { .string($0) } ?? .null }
        return columns
    }
}

extension JSONType where Value == String {
    /// A SHA-256 in hexadecimal digits.
    static let contentID = JSONType.text(pattern: "^[0-9a-f]{64}$")
}
