import CampaignModel
import FoundationEssentials
import GRDB
import State

/// A pass over all registrations of a state, with only one row in memory.
struct StoredRegistrations {
    /// Opens them; nil if they are not encrypted.
    let vault: StateVault?

    /// The unreadable registrations.
    struct Broken {
        fileprivate(set) var members: [(scope: Int64, fingerprint: Data)] = []
        fileprivate(set) var lists: Set<Int64> = []
    }

    func broken(_ db: Database) throws -> Broken {
        var broken = Broken()
        let members = try db.rows(
            "SELECT scope, fingerprint, registration, sealed FROM memberships"
        )
        while let row = try members.next() {
            let scope = try row.decode(Int64.self, atIndex: 0)
            let fingerprint = try row.decode(Data.self, atIndex: 1)
            if !isMember(row, scope: scope, blob: fingerprint) {
                broken.members.append((scope, fingerprint))
            }
        }
        let chunks = try db.rows(
            """
            SELECT list, first, digest, registrations
            FROM list_chunks JOIN lists ON lists.id = list
            """
        )
        while let row = try chunks.next() {
            if !isChunk(row) { broken.lists.insert(try row.decode(Int64.self, atIndex: 0)) }
        }
        return broken
    }

    private func isMember(_ row: Row, scope: Int64, blob: Data) -> Bool {
        guard let fingerprint = Fingerprint(blob: blob),
            case .success(let sealed) = Result(catching: { try row.decode(Data?.self, atIndex: 3) })
        else { return false }
        let text: String? =
            switch (vault, sealed) {
            case (let vault?, let sealed?):
                vault.open(sealed, at: .member(scope: scope, fingerprint))
                    .map { String(decoding: $0, as: UTF8.self) }
            case (nil, nil): try? row.decode(String.self, atIndex: 2)
            default: nil
            }
        return text.flatMap { Registration($0) } != nil
    }

    private func isChunk(_ row: Row) -> Bool {
        guard let first = try? row.decode(Int.self, atIndex: 1), first >= 0,
            let digest = try? row.decode(String.self, atIndex: 2),
            let blob = try? row.decode(Data.self, atIndex: 3)
        else { return false }
        guard let vault else { return blob.first != StateVault.mark }
        return vault.open(blob, at: .list(ListID(text: digest), first: first)) != nil
    }
}
