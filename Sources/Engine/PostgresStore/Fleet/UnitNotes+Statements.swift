import Fleet
import FoundationEssentials
import PostgresClient
import StoreTables

extension UnitNotes {
    /// The statement parts that store notes from the row `changed`, which has `unit` and `first`.
    ///
    /// `parameter`: the number of the first of four parameters, see `values(of:)`.
    static func statements(from parameter: Int) -> String {
        let (requests, details) = ("$\(parameter)", "$\(parameter + 1)")
        let (prefix, entries) = ("$\(parameter + 2)", "$\(parameter + 3)")
        return """
            described AS (
                INSERT INTO outcome_details (unit, request, detail)
                SELECT changed.unit, changed.first + given.request, given.detail
                FROM changed, unnest(\(requests)::bigint[], \(details)::text[])
                    AS given (request, detail)
                ON CONFLICT (unit, request) DO UPDATE SET detail = excluded.detail),
            identified AS (
                INSERT INTO message_ids (unit, prefix, entries)
                SELECT unit, \(prefix)::text, \(entries)::bytea
                FROM changed WHERE \(entries)::bytea IS NOT NULL)
            """
    }

    /// The parameters of these parts.
    static func values(of notes: UnitNotes?) -> [PostgresValue] {
        let details = (notes?.details ?? [:]).sorted { $0.key < $1.key }
        let first = notes?.first ?? 0
        let entries: [MessageIDBlock.Entry] = (notes?.messageIDs ?? [:])
            .sorted { $0.key < $1.key }
            .map { (request: first + $0.key, id: $0.value) }
        let ids = entries.isEmpty ? nil : MessageIDs(entries)
        return [
            .integers(details.map { Int64($0.key) }), .texts(details.map(\.value)),
            ids.map { .text($0.prefix) } ?? .null, ids.map { .bytes($0.entries) } ?? .null,
        ]
    }
}
