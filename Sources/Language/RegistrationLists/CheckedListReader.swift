package import CampaignModel

/// Streams a surveyed list, and checks at its end whether it is still the same list.
package struct CheckedListReader: ~Copyable {
    private var reader: RegistrationReader
    private var hasher = ListHasher()
    private let expected: ListID
    private let path: String?
    private var isAtEnd = false

    package init(
        _ list: RegistrationList,
        directory: String,
        expected: ListID
    ) throws(RegistrationListError) {
        reader = try RegistrationReader(list, directory: directory)
        self.expected = expected
        path = list.path
    }

    /// Returns the next registrations; fewer than `count` only at the end, and then none.
    ///
    /// - Throws: `.changed` if the end shows that this is not the surveyed list.
    package mutating func next(_ count: Int) throws(RegistrationListError) -> [Registration] {
        guard !isAtEnd else { return [] }
        var chunk: [Registration] = []
        while chunk.count < count {
            switch try reader.next() {
            case .registration(let registration)?:
                hasher.add(registration)
                chunk.append(registration)
            case .broken?: throw .changed(path: path)
            case nil:
                isAtEnd = true
                guard hasher.finish() == expected else { throw .changed(path: path) }
                return chunk
            }
        }
        return chunk
    }
}
