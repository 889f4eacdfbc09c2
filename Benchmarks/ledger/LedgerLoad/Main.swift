import CampaignModel
import JSON
import SQLiteStore
import State
import StoreTables
import Time

/// Records an occurrence as a dispatcher does, without sending: `LedgerLoad STATE REGISTRATIONS
/// OPEN [ids]`.
///
/// `OPEN` requests are open at the same time. Each answer is `accepted`. When half of the mark's
/// allowance is answered, the answers are recorded and the mark rises. It is never more than twice
/// `OPEN` ahead.
@main
enum LedgerLoad {
    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count >= 4, let count = Int(arguments[2]), let open = Int(arguments[3])
        else {
            print("usage: LedgerLoad STATE REGISTRATIONS OPEN [ids]")
            return
        }
        let store = try SQLiteStore.open(path: arguments[1])
        guard count > 0 else { return }
        let unit = try await begin(count, keepsIDs: arguments.contains("ids"), in: store)
        try await send(count, open: open, of: unit, in: store)
    }

    private static func begin(
        _ count: Int,
        keepsIDs: Bool,
        in store: SQLiteStore
    ) async throws -> WorkUnitRecord {
        guard let campaign = CampaignID("bench"), let topic = Topic("bench") else { throw NoName() }
        let worker = Worker(command: "bench", user: "", host: "", processID: 0, since: .earliest)
        let opened = OpenedOccurrence(
            id: OccurrenceID(campaign: campaign, slot: .once, revision: 1),
            due: .earliest,
            message: [:],
            target: .topic(topic),
            count: count,
            keepsIDs: keepsIDs
        )
        return try await store.open(opened, in: try await store.beginRun(worker))
    }

    private static func send(
        _ count: Int,
        open: Int,
        of unit: WorkUnitRecord,
        in store: SQLiteStore
    ) async throws {
        var mark = min(count, 2 * open)
        try await store.record([], released: mark, of: unit.id)
        var first = 0
        while first < count {
            let answered = first..<min(count, first + open)
            let outcomes = answered.map { outcome(of: $0, keepsIDs: unit.keepsIDs) }
            mark = min(count, mark + answered.count)
            try await store.record(outcomes, released: mark, of: unit.id)
            first = answered.upperBound
        }
    }

    /// Returns an outcome with a message name in FCM's form and length.
    private static func outcome(of number: Int, keepsIDs: Bool) -> RequestOutcome {
        guard keepsIDs else { return RequestOutcome(index: number, outcome: .accepted) }
        let mixed = String(UInt64(number + 1) &* 0x9E37_79B9_7F4A_7C15, radix: 16)
        return RequestOutcome(
            index: number,
            outcome: .accepted,
            messageID: "projects/bench/messages/0:1800000000000000%\(mixed)"
        )
    }

    private struct NoName: Error {}
}
