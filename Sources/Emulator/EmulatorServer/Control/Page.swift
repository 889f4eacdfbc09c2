import JSON

/// Which part of a list is asked for, `?after=100&limit=50`.
///
/// `after` is how many elements are passed over; the answer's `last` is the `after` of the next
/// page.
struct Page {
    let after: Int
    /// Nil where none is asked for.
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
            throw .control(name, "\(name) is not a number from \(least) on.")
        }
        return number
    }

    /// `forgotten`: so many came before the elements and are no longer there.
    func part<Element>(of elements: [Element], after forgotten: Int = 0) -> ArraySlice<Element> {
        elements.dropFirst(max(0, after - forgotten)).prefix(limit ?? .max)
    }

    /// The members `last` and `total` beside a part of a list.
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

    /// A part of a list under a name, with its position.
    func answer<Element>(
        _ name: String,
        _ elements: [Element],
        after forgotten: Int = 0,
        json: (Int, Element) -> JSONValue
    ) -> JSONObject {
        let part = part(of: elements, after: forgotten)
        let shown = part.indices.map { json(forgotten + $0 + 1, part[$0]) }
        var members: JSONObject = [name: .array(shown)]
        for member in position(past: part, total: elements.count, after: forgotten).members {
            members.append(member.key, member.value)
        }
        return members
    }
}
