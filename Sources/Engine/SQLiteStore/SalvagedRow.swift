import CampaignModel
import FoundationEssentials
import GRDB
import JSON
import State
import StoreTables

/// A row of a damaged state, with any content.
struct SalvagedRow {
    private let row: Row
    private let table: String

    init(_ row: Row, of table: String) {
        self.row = row
        self.table = table
    }

    /// Whether the state is readable with this row.
    var isSound: Bool {
        switch table {
        case "runs": number("status", as: RunStatus.init(rawValue:))
        case "definitions":
            campaign && isJSON("content") && (isNull("sending") || isJSON("sending"))
        case "occurrences":
            campaign && number("status", as: OccurrenceStatus.init(rawValue:))
                && (isNull("message") || isJSON("message"))
                && (isNull("hold") || text("hold").flatMap(Hold.init(rawValue:)) != nil)
                && (isNull("rollout") || isRollout)
                && (isNull("recall") || isRecall)
                && (isNull("objective") || text("objective").flatMap { Objective($0) } != nil)
        case "units": isTarget
        case "scopes":
            text("audience").flatMap(AudienceID.init) != nil
                && text("topic").flatMap(Topic.init) != nil
        case "scope_counts": number("status", as: MembershipStatus.init(rawValue:))
        case "membership_segments": isSegment
        case "resolutions": campaign && number("resolution", as: Resolution.init(rawValue:))
        case "run_sendings": campaign && isJSON("problems")
        case "pauses": text("campaign") == "" || campaign
        default: true
        }
    }

    private func value(_ column: String) -> DatabaseValue? { row[column] }

    /// Columns of later formats do not exist.
    private func isNull(_ column: String) -> Bool { value(column)?.isNull ?? true }

    private func text(_ column: String) -> String? {
        value(column).flatMap(String.fromDatabaseValue)
    }

    private var campaign: Bool { text("campaign").flatMap(CampaignID.init) != nil }

    private var isRollout: Bool {
        text("rollout").flatMap { JSONValue(stored: $0) }.flatMap(RolloutRecord.init(stored:))
            != nil
    }

    private var isRecall: Bool {
        text("recall").flatMap { JSONValue(stored: $0) }.flatMap(RecallAuthor.init(stored:)) != nil
    }

    private func isJSON(_ column: String) -> Bool {
        text(column).flatMap { JSONValue(stored: $0) } != nil
    }

    private func number<Value>(_ column: String, as make: (UInt8) -> Value?) -> Bool {
        value(column).flatMap(UInt8.fromDatabaseValue).flatMap(make) != nil
    }

    private var isSegment: Bool {
        let level = value("level").flatMap(Int.fromDatabaseValue)
        let isUnfinished = level == StoredSegment.Level.unfinished.rawValue
        return level.flatMap(StoredSegment.Level.init(rawValue:)) != nil
            && ["bits", "done", "last_page"].allSatisfy { isNull($0) != isUnfinished }
    }

    private var isTarget: Bool {
        guard let kind = value("kind").flatMap(Int.fromDatabaseValue), let text = text("target")
        else { return false }
        return UnitTarget(kind: kind, text: text) != nil
    }
}
