package import State

extension StateMark {
    /// - Throws: `damage` if the state has no lineage.
    package static func read(
        _ db: any StateDatabase,
        otherwise damage: StateStoreError
    ) throws -> StateMark {
        let row = try db.row(
            """
            SELECT lineage, serial, moved, (SELECT coalesce(max(number), 0) FROM chain) FROM meta
            """
        )
        guard let row else { throw damage }
        return StateMark(
            lineage: StateLineage(text: try row.decode(String.self, atIndex: 0)),
            serial: StateSerial(number: try row.decode(Int64.self, atIndex: 1)),
            moved: try row.decode(String?.self, atIndex: 2),
            lastEntry: try row.decode(Int64.self, atIndex: 3)
        )
    }
}
