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

    func singleValues(
        of lists: [ListID],
        atMost count: Int
    ) throws -> [ListID: SingleValueList] {
        let rows = try rows(
            """
            SELECT registrations, checksum, digest, \(StoredList.columns)
            FROM lists JOIN list_chunks ON list = lists.id
            WHERE first = 0 AND list_chunks.count = lists.count AND lists.count <= ?
                AND NOT EXISTS (
                    SELECT 1 FROM list_chunks AS other
                    WHERE other.list = lists.id AND other.first <> 0)
                AND
            """,
            arguments: [count],
            where: "digest",
            isAmong: lists.map { .text($0.text) }
        )
        var found: [ListID: SingleValueList] = [:]
        for row in rows {
            let list = ListID(text: try row.decode(String.self, atIndex: 2))
            guard row.isWhole, let stored = try StoredList(list, in: row, from: 3) else { continue }
            found[list] = SingleValueList(stored, value: try row.decode(Data.self, atIndex: 0))
        }
        return found
    }

    func insert(_ value: ListValue, into list: Int64) throws {
        try run(
            """
            INSERT INTO list_chunks (list, first, count, checksum, registrations)
            VALUES (?, ?, ?, ?, ?)
            """,
            arguments: [
                list, value.first, value.count, value.checksum, Data(value.bytes),
            ]
        )
    }
}
