package import CampaignModel

/// The result of one pass over a list: its content ID and its fingerprints in list order.
///
/// A fingerprint has 16 bytes. The registrations themselves are not held.
package struct ListSurvey: Sendable {
    package let id: ListID
    package let fingerprints: [Fingerprint]
    /// The person of each registration, in the same order; nil if the list does not specify it.
    package let identities: [Fingerprint]?
    /// The names of the list's columns; a JSON object need not have all of them.
    ///
    /// nil if there are none, or too many to hold.
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
            try self.init(
                of: TextRows(list, directory: directory),
                path: list.path,
                with: fingerprinter
            )
        case .described(let file):
            switch file.format {
            case .text:
                let text = RegistrationList.file(path: file.path)
                try self.init(
                    of: TextRows(text, directory: directory),
                    path: file.path,
                    with: fingerprinter
                )
            case .csv:
                try self.init(
                    of: CSVRows(file, directory: directory),
                    path: file.path,
                    with: fingerprinter
                )
            case .ndjson:
                try self.init(
                    of: NDJSONRows(file, directory: directory),
                    path: file.path,
                    with: fingerprinter
                )
            }
        }
    }

    private init(
        of rows: consuming some ListRows & ~Copyable,
        path: String?,
        with fingerprinter: Fingerprinter
    ) throws(RegistrationListError) {
        var hasher = ListHasher()
        var fingerprints: [Fingerprint] = []
        var lines: [UInt32] = []
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
                fingerprints.append(fingerprint)
                lines.append(UInt32(clamping: row.line))
                if let identity = row.identity {
                    identities.append(fingerprinter.fingerprint(ofIdentity: identity))
                }
            }
        }
        guard broken.isEmpty else {
            throw .brokenLines(broken, path: path ?? "", count: brokenCount)
        }
        guard !fingerprints.isEmpty else { throw .empty(path: path) }
        try Self.refuseRepeated(fingerprints, lines: lines, path: path)
        id = hasher.finish()
        self.fingerprints = fingerprints
        columns = rows.columns
        self.identities = identities.isEmpty ? nil : identities
    }

    private static func refuseRepeated(
        _ fingerprints: [Fingerprint],
        lines: [UInt32],
        path: String?
    ) throws(RegistrationListError) {
        var seen = FingerprintTable(capacity: fingerprints.count)
        var first: (line: Int, first: Int)?
        var count = 0
        for index in fingerprints.indices {
            guard let earlier = seen.insert(index, of: fingerprints) else { continue }
            count += 1
            first = first ?? (Int(lines[index]), Int(lines[earlier]))
        }
        guard let first else { return }
        throw .repeated(line: first.line, first: first.first, path: path, count: count)
    }
}

/// Finds repeated fingerprints, with 8 to 16 bytes per fingerprint.
///
/// Without the key, an attacker cannot choose fingerprints, so any of their bits are a good hash.
private struct FingerprintTable {
    /// One more than the index of the fingerprint in this place; 0 if the place is free.
    private var places: [UInt32]

    init(capacity: Int) {
        var size = 16
        while size < capacity * 2 { size *= 2 }
        places = Array(repeating: 0, count: size)
    }

    /// Returns the index of an earlier equal fingerprint; nil if there is none.
    mutating func insert(_ index: Int, of fingerprints: [Fingerprint]) -> Int? {
        let mask = places.count - 1
        var place = Int(truncatingIfNeeded: fingerprints[index].low) & mask
        while places[place] != 0 {
            let other = Int(places[place]) - 1
            if fingerprints[other] == fingerprints[index] { return other }
            place = (place + 1) & mask
        }
        places[place] = UInt32(index + 1)
        return nil
    }
}

extension RegistrationList {
    /// The file's path as written; nil for a list in the YAML.
    package var path: String? {
        switch self {
        case .file(let path): path
        case .described(let file): file.path
        case .inline: nil
        }
    }
}
