package import Fleet
import FoundationEssentials
import PostgresClient
import StoreTables

/// The details and message IDs that a driver keeps of a unit, until its machine forgets it.
///
/// A transaction stores those of the requests whose outcomes it records, if it changes the unit. A
/// restoration stores them again, because a failover may have lost them; readers take each ID once.
package struct UnitNotes: Hashable, Sendable {
    package let unit: WorkUnitID
    /// The number of the unit's first request in the occurrence.
    package let first: Int
    /// The details of outcomes, by the request, counted from the first one of the unit.
    package let details: [Int: String]
    /// The IDs of accepted messages, by the request; empty if the campaign keeps none.
    package let messageIDs: [Int: String]

    package init(
        of unit: WorkUnit,
        details: [Int: String] = [:],
        messageIDs: [Int: String] = [:]
    ) {
        self.init(unit.id, first: unit.first, details: details, messageIDs: messageIDs)
    }

    var isEmpty: Bool { details.isEmpty && messageIDs.isEmpty }

    init(
        _ unit: WorkUnitID,
        first: Int,
        details: [Int: String],
        messageIDs: [Int: String]
    ) {
        self.unit = unit
        self.first = first
        self.details = details
        self.messageIDs = messageIDs
    }
}

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
