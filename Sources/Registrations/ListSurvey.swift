package import CampaignModel

/// What is known of a list after one pass over it: its content's id and, for each registration
/// in the list's order, its fingerprint (16 bytes each; the registrations themselves are not
/// held).
package struct ListSurvey: Sendable {
    package let id: ListID
    package let fingerprints: [Fingerprint]

    package var count: Int { fingerprints.count }

    /// - Throws: `.unreadable`, `.brokenLines` (the first ten), `.empty`, `.repeated`.
    package init(
        _ list: RegistrationList,
        directory: String,
        fingerprinter: Fingerprinter
    ) throws(RegistrationListError) {
        var reader = try RegistrationReader(list, directory: directory)
        var hasher = ListHasher()
        var members: [Numbered] = []
        var broken: [RegistrationListError.BrokenLine] = []
        var brokenCount = 0
        while let entry = try reader.next() {
            switch entry {
            case .broken(let line):
                brokenCount += 1
                if broken.count < 10 { broken.append(line) }
            case .registration(let registration):
                hasher.add(registration)
                members.append(
                    Numbered(
                        fingerprint: fingerprinter.fingerprint(of: registration),
                        line: reader.line
                    )
                )
            }
        }
        let path = list.path
        guard broken.isEmpty else {
            throw .brokenLines(broken, path: path ?? "", count: brokenCount)
        }
        guard !members.isEmpty else { throw .empty(path: path) }
        try Self.refuseRepeated(members, path: path)
        id = hasher.finish()
        fingerprints = members.map(\.fingerprint)
    }

    private struct Numbered {
        let fingerprint: Fingerprint
        let line: Int
    }

    private static func refuseRepeated(
        _ members: [Numbered],
        path: String?
    ) throws(RegistrationListError) {
        let sorted = members.sorted { ($0.fingerprint, $0.line) < ($1.fingerprint, $1.line) }
        var repeats: [(line: Int, first: Int)] = []
        for (one, next) in zip(sorted, sorted.dropFirst()) where one.fingerprint == next.fingerprint
        {
            repeats.append((next.line, one.line))
        }
        guard let first = repeats.min(by: { $0.line < $1.line }) else { return }
        throw .repeated(line: first.line, first: first.first, path: path, count: repeats.count)
    }
}

extension RegistrationList {
    /// The file's path as written; nil for a list that stands in the YAML.
    package var path: String? {
        switch self {
        case .file(let path): path
        case .described(let file): file.path
        case .inline: nil
        }
    }
}
