/// A JSON object whose members have places in its text.
///
/// In contrast to `JSONValue`, repeated keys and NUL characters are errors, and numbers keep their
/// spelling.
package struct PlacedJSONObject: Sendable {
    package struct Member: Sendable {
        package let key: String
        package let value: JSONValue
        /// The bytes of the value.
        package let place: Range<Int>
    }

    /// Offsets count bytes from the beginning of the text.
    package enum Failure: Error, Hashable, Sendable {
        /// It is not one JSON text in UTF-8.
        case notJSON(offset: Int)
        case notAnObject
        /// `first`: the offset at which the key was used before, also in an object inside of it.
        case repeatedKey(String, offset: Int, first: Int)
        case nul(offset: Int)
    }

    package let members: [Member]
    private let bytes: ArraySlice<UInt8>

    package init(parsing bytes: ArraySlice<UInt8>) throws(Failure) {
        var members: [Member]?
        var failure: Failure?
        bytes.withUnsafeBufferPointer { buffer in
            var scanner = JSONScanner(
                bytes: buffer,
                depthLimit: JSONValue.depthLimit,
                isStrict: true
            )
            do throws(JSONScanner.Failure) {
                members = try scanner.scanPlacedMembers()
                // Another value is an error of its own only if it is JSON.
                if members == nil { _ = try scanner.scanText() }
            } catch {
                failure = Failure(error)
            }
        }
        if let failure { throw failure }
        guard let members else { throw .notAnObject }
        self.members = members
        self.bytes = bytes
    }

    package subscript(key: String) -> Member? { members.first { $0.key == key } }

    /// The value as written, without white space between its parts.
    package func text(of member: Member) -> String {
        var writer = JSONWriter(layout: .compact)
        bytes.withUnsafeBufferPointer { buffer in
            var scanner = JSONScanner(
                bytes: buffer,
                depthLimit: JSONValue.depthLimit,
                position: member.place.lowerBound
            )
            // It was scanned before, so that scanning it again does not fail.
            try? scanner.copy(to: member.place.upperBound, into: &writer)
        }
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}

extension PlacedJSONObject.Failure {
    fileprivate init(_ failure: JSONScanner.Failure) {
        self =
            switch failure {
            case .unexpected(let offset): .notJSON(offset: offset)
            case .repeatedKey(let key, let offset, let first):
                .repeatedKey(key, offset: offset, first: first)
            case .nul(let offset): .nul(offset: offset)
            }
    }
}

/// The keys of an object and the offsets at which they begin.
struct JSONKeyPlaces {
    private var few: [(key: String, offset: Int)] = []
    private var many: [String: Int] = [:]

    /// With more keys than this, a dictionary is faster.
    private static let limit = 16

    mutating func add(_ key: String, at offset: Int) throws(JSONScanner.Failure) {
        let first =
            many.isEmpty
            ? few.first { $0.key == key }?.offset : many.updateValue(offset, forKey: key)
        if let first { throw .repeatedKey(key, offset: offset, first: first) }
        guard many.isEmpty else { return }
        few.append((key, offset))
        if few.count > Self.limit {
            many = Dictionary(uniqueKeysWithValues: few.map { ($0.key, $0.offset) })
        }
    }
}
