import CampaignModel
import JSON

extension RegistrationList {
    /// The complete definition of a list that is read when its send begins.
    ///
    /// Nil if it contains registrations itself, which are secrets.
    var definition: JSONValue? {
        switch self {
        case .file(let path): return ["file": .string(path)]
        case .inline: return nil
        case .described(let file): return ["described": file.stored]
        case .set(let set):
            let (parts, excluded) = (set.parts.map(\.stored), set.excluded.map(\.stored))
            guard !(parts + excluded).contains(nil) else { return nil }
            return [
                "set": .string(set.operation.rawValue),
                "parts": .array(parts.compactMap(\.self)),
                "except": .array(excluded.compactMap(\.self)),
            ]
        }
    }

    /// Nil if it is unreadable.
    init?(definition: JSONValue) {
        if let path = definition["file"]?.stringValue {
            self = .file(path: path)
        } else if let file = definition["described"].flatMap(RegistrationFile.init(stored:)) {
            self = .described(file)
        } else if let operation = definition["set"]?.stringValue.flatMap(ListSet.Operation.init),
            let parts = Self.parts(definition["parts"]), !parts.isEmpty,
            let excluded = Self.parts(definition["except"])
        {
            self = .set(ListSet(operation, of: parts, except: excluded))
        } else {
            return nil
        }
    }

    private static func parts(_ stored: JSONValue?) -> [ListSet.Part]? {
        guard let values = stored?.arrayValue else { return nil }
        let parts = values.compactMap(ListSet.Part.init(stored:))
        return parts.count == values.count ? parts : nil
    }
}

extension ListSet.Part {
    fileprivate var stored: JSONValue? {
        guard let list = list.definition else { return nil }
        var stored: JSONObject = ["list": list]
        stored["audience"] = audience.map { .string($0.rawValue) }
        return .object(stored)
    }

    fileprivate init?(stored: JSONValue) {
        guard let list = stored["list"].flatMap(RegistrationList.init(definition:)) else {
            return nil
        }
        self.init(stored["audience"]?.stringValue.flatMap { AudienceID($0) }, list: list)
    }
}

extension RegistrationFile {
    fileprivate var stored: JSONValue {
        var stored: JSONObject = [
            "path": .string(path),
            "format": .string(format.rawValue),
            "kind": .string(kind.rawValue),
            "read": .string(reading.rawValue),
        ]
        stored["column"] = column.map(JSONValue.string)
        stored["identity"] = identity.map(JSONValue.string)
        stored["locale"] = locale.map(JSONValue.string)
        stored["timezone"] = timeZone.map(JSONValue.string)
        stored["public_key"] = publicKey.map(JSONValue.string)
        stored["covariate"] = covariate.map(JSONValue.string)
        stored["source"] = source.map { .string($0.rawValue) }
        return .object(stored)
    }

    fileprivate init?(stored: JSONValue) {
        guard let path = stored["path"]?.stringValue,
            let format = stored["format"]?.stringValue.flatMap(Format.init),
            let kind = stored["kind"]?.stringValue.flatMap(Kind.init),
            let reading = stored["read"]?.stringValue.flatMap(Reading.init)
        else { return nil }
        self.init(
            path: path,
            format: format,
            kind: kind,
            column: stored["column"]?.stringValue,
            identity: stored["identity"]?.stringValue,
            reading: reading,
            locale: stored["locale"]?.stringValue,
            timeZone: stored["timezone"]?.stringValue,
            publicKey: stored["public_key"]?.stringValue,
            covariate: stored["covariate"]?.stringValue,
            source: stored["source"]?.stringValue.flatMap { ListSourceID($0) }
        )
    }
}

extension Audience {
    /// What a send to the audience's list needs of its document.
    var stored: JSONValue {
        let columns = self.columns.sorted { $0.key < $1.key }.map { name, column in
            JSONObject.Member(key: name, value: column.standard.map(JSONValue.string) ?? .null)
        }
        var stored: JSONObject = ["columns": .object(JSONObject(columns))]
        stored["acknowledge"] = acknowledgement.map {
            ["change": .integer(Int64($0.change)), "reason": .string($0.reason)]
        }
        return .object(stored)
    }

    /// An audience that is subscribed to nothing.
    init?(_ id: AudienceID, of list: RegistrationList, stored: JSONValue) {
        guard let members = stored["columns"]?.objectValue?.members else { return nil }
        let acknowledgement = stored["acknowledge"].flatMap { value -> ChangeAcknowledgement? in
            guard let change = value["change"]?.integerValue,
                let reason = value["reason"]?.stringValue
            else { return nil }
            return ChangeAcknowledgement(change: Int(change), reason: reason)
        }
        self.init(
            id: id,
            about: nil,
            list: list,
            subscribe: nil,
            acknowledgement: acknowledgement,
            columns: Dictionary(
                members.map { ($0.key, ListColumn(standard: $0.value.stringValue)) },
                uniquingKeysWith: { first, _ in first }
            )
        )
    }
}
