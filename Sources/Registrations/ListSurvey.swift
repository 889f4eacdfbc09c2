package import CampaignModel

/// What is known of a list after one pass over it: its content's id and, for each registration
/// in the list's order, its fingerprint (16 bytes each; the registrations themselves are not
/// held).
package struct ListSurvey: Sendable {
    package let id: ListID
    package let fingerprints: [Fingerprint]
    /// The person behind each registration, in the same order; nil where the list does not say.
    package let identities: [Fingerprint]?
    /// The names of the list's columns, of which a JSON object need not have all; nil where there
    /// are none, or too many to hold.
    package let columns: Set<String>?

    package var count: Int { fingerprints.count }

    /// - Throws: `.unreadable`, `.missingColumn`, `.brokenLines` (the first ten), `.empty`,
    ///   `.repeated`.
    package init(
        _ list: RegistrationList,
        directory: String,
        fingerprinter: Fingerprinter
    ) throws(RegistrationListError) {
        switch list {
        case .file, .inline:
            try self.init(TextRows(list, directory: directory), list.path, fingerprinter)
        case .described(let file):
            switch file.format {
            case .text:
                let text = RegistrationList.file(path: file.path)
                try self.init(TextRows(text, directory: directory), file.path, fingerprinter)
            case .csv:
                try self.init(CSVRows(file, directory: directory), file.path, fingerprinter)
            case .ndjson:
                try self.init(NDJSONRows(file, directory: directory), file.path, fingerprinter)
            }
        }
    }

    private init(
        _ rows: consuming some ListRows & ~Copyable,
        _ path: String?,
        _ fingerprinter: Fingerprinter
    ) throws(RegistrationListError) {
        var hasher = ListHasher()
        var members: [Numbered] = []
        var identities: [Fingerprint] = []
        var broken: [RegistrationListError.BrokenLine] = []
        var brokenCount = 0
        while let entry = try rows.next() {
            switch entry {
            case .broken(let line):
                brokenCount += 1
                if broken.count < 10 { broken.append(line) }
            case .row(let row):
                hasher.add(row.registration)
                let fingerprint = fingerprinter.fingerprint(of: row.registration)
                members.append(Numbered(fingerprint: fingerprint, line: row.line))
                if let identity = row.identity {
                    identities.append(fingerprinter.fingerprint(ofIdentity: identity))
                }
            }
        }
        guard broken.isEmpty else {
            throw .brokenLines(broken, path: path ?? "", count: brokenCount)
        }
        guard !members.isEmpty else { throw .empty(path: path) }
        try Self.refuseRepeated(members, path: path)
        id = hasher.finish()
        fingerprints = members.map(\.fingerprint)
        columns = rows.columns
        self.identities = identities.isEmpty ? nil : identities
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
