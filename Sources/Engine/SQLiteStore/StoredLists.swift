import CampaignModel
import FoundationEssentials
import GRDB
import State

/// A pass over all stored lists, with only one row in memory.
struct StoredLists {
    /// Opens them; nil if they are not encrypted.
    let vault: StateVault?

    /// The lists with an unreadable chunk.
    func broken(_ db: Database) throws -> Set<Int64> {
        var broken: Set<Int64> = []
        let chunks = try db.rows(
            """
            SELECT list, first, digest, registrations
            FROM list_chunks JOIN lists ON lists.id = list
            """
        )
        while let row = try chunks.next() {
            if !isChunk(row) { broken.insert(try row.decode(Int64.self, atIndex: 0)) }
        }
        return broken
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
