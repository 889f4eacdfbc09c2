import JSON

/// The requested part of a list, such as `?after=100&limit=50`.
///
/// `after` is the number of elements to skip. The answer's `last` is the `after` of the next page.
struct Page {
    let after: Int
    /// Nil if the request has no limit.
    let limit: Int?

    init(_ target: RequestTarget) throws(GoogleError) {
        after = try Self.number("after", of: target, from: 0) ?? 0
        limit = try Self.number("limit", of: target, from: 1)
    }

    static func number(
        _ name: String,
        of target: RequestTarget,
        from least: Int
    ) throws(GoogleError) -> Int? {
        guard let text = target.parameter(name) else { return nil }
        guard let number = Int(text), number >= least else {
            throw .control(name, because: "It must be a number of at least \(least).")
        }
        return number
    }

    /// Returns the requested elements; `forgotten` is the number of older elements that were
    /// discarded.
    func part<Element>(of elements: [Element], after forgotten: Int = 0) -> ArraySlice<Element> {
        elements.dropFirst(max(0, after - forgotten)).prefix(limit ?? .max)
    }

    /// Returns the members `last` and `total` of a page.
    func position(
        past part: ArraySlice<some Any>,
        total: Int,
        after forgotten: Int = 0
    ) -> JSONObject {
        let last = part.isEmpty ? min(after, forgotten + total) : forgotten + part.endIndex
        return [
            "last": .integer(Int64(last)), "total": .integer(Int64(forgotten + total)),
        ]
    }

    /// Returns a named page of a list, with its position.
    func answer<Element>(
        _ name: String,
        of elements: [Element],
        after forgotten: Int = 0,
        json: (Int, Element) -> JSONValue
    ) -> JSONObject {
        let part = part(of: elements, after: forgotten)
        let shown = part.indices.map { json(forgotten + $0 + 1, part[$0]) }
        var members: JSONObject = [name: .array(shown)]
        for member in position(past: part, total: elements.count, after: forgotten).members {
            members.append(member.key, value: member.value)
        }
        return members
    }
}
