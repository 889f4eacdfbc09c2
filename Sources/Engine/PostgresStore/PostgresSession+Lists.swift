import CampaignModel
import FoundationEssentials
import PostgresClient
import State
import StoreTables

extension PostgresSession {
    func visitValues(
        of list: StoredList,
        in rows: Range<Int>,
        otherwise damage: StateStoreError,
        visit: (Int, Data) throws -> Void
    ) throws {
        let chunks = try self.rows(
            """
            SELECT registrations, checksum, first FROM list_chunks
            WHERE list = ?1 AND first < ?3 AND first >= (
                SELECT max(first) FROM list_chunks WHERE list = ?1 AND first <= ?2)
            ORDER BY first
            """,
            arguments: [list.row, rows.lowerBound, rows.upperBound]
        )
        while let row = try chunks.next() {
            guard row.isWhole else { throw damage }
            try visit(
                try row.decode(Int.self, atIndex: 2),
                try row.decode(Data.self, atIndex: 0)
            )
        }
    }

    func insertValue(_ value: [UInt8], of list: StoredList, first: Int, count: Int) throws {
        try run(
            """
            INSERT INTO list_chunks (list, first, count, checksum, registrations)
            VALUES (?, ?, ?, ?, ?)
            """,
            arguments: [list.row, first, count, Checksum.of(value), Data(value)]
        )
    }
}
