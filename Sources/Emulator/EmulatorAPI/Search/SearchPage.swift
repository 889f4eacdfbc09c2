import JSON

/// The requested part of a search: `after` and `limit`.
struct SearchPage: Sendable {
    let part: Range<Int>

    /// Default and maximum number of items.
    static let standardLimit = 100
    static let mostItems = 1_000
    /// Maximum number of items to skip.
    private static let mostSkipped = 100_000_000

    init(_ target: RequestTarget) throws(GoogleError) {
        let after = try Page.number("after", of: target, from: 0) ?? 0
        guard after <= Self.mostSkipped else {
            throw .control("after", because: "It must be at most \(Self.mostSkipped).")
        }
        part = after..<after + (try Self.limit(target))
    }

    static func limit(_ target: RequestTarget) throws(GoogleError) -> Int {
        let limit = try Page.number("limit", of: target, from: 1) ?? standardLimit
        guard limit <= mostItems else {
            throw .control("limit", because: "It must be at most \(mostItems).")
        }
        return limit
    }

    /// Returns the answer with a named list of items.
    func answer(_ name: String, of items: [JSONValue], total: Int) -> JSONObject {
        [
            name: .array(items), "total": .integer(Int64(total)),
            "last": .integer(Int64(min(part.lowerBound, total) + items.count)),
        ]
    }

    /// Returns the value of a parameter that must be one of several names.
    static func choice<Choice: RawRepresentable & CaseIterable>(
        _ name: String,
        of target: RequestTarget,
        as type: Choice.Type
    ) throws(GoogleError) -> Choice? where Choice.RawValue == String {
        guard let text = target.parameter(name) else { return nil }
        guard let choice = Choice(rawValue: text) else {
            let names = Choice.allCases.map(\.rawValue).joined(separator: ", ")
            throw .control(name, because: "It must be one of \(names).")
        }
        return choice
    }

    static func flag(_ name: String, of target: RequestTarget) throws(GoogleError) -> Bool? {
        switch target.parameter(name) {
        case nil: return nil
        case "true": return true
        case "false": return false
        default: throw .control(name, because: "It must be true or false.")
        }
    }
}
