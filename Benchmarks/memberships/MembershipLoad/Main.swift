import CampaignModel
import RegistrationLists
import SQLiteStore
import State
import StoreTables
import Time

/// Records a list as joined members, as a run does, without FCM: `MembershipLoad STATE LIST
/// AUDIENCE TOPIC`.
///
/// Each stretch of 4,000 members, as a run reads them, is recorded twice: as joining before its
/// requests, and as joined together with the next stretch, because answers arrive while the next
/// members are read.
///
/// Prints the number of members and the seconds that the store took.
@main
enum MembershipLoad {
    private static let batchSize = 4_000

    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 5, let audience = AudienceID(arguments[3]),
            let topic = Topic(arguments[4])
        else {
            print("usage: MembershipLoad STATE LIST AUDIENCE TOPIC")
            return
        }
        let store = try SQLiteStore.open(path: arguments[1])
        let scope = MembershipScope(audience: audience, topic: topic)
        let source = try MemberSource(
            list: arguments[2],
            fingerprinter: Fingerprinter(key: try await store.identity().fingerprintKey)
        )
        let (count, time) = try await record(source, in: scope, of: store)
        print(count, time / .seconds(1))
    }

    private static func record(
        _ source: consuming MemberSource,
        in scope: MembershipScope,
        of store: SQLiteStore
    ) async throws -> (count: Int, time: Duration) {
        let clock = ContinuousClock()
        let worker = Worker(command: "bench", user: "", host: "", processID: 0, since: .earliest)
        let run = try await store.beginRun(worker)
        var (count, time) = (0, Duration.zero)
        var answered: [MembershipResult] = []
        while true {
            let members = try source.next(batchSize)
            guard !members.isEmpty else { break }
            let start = clock.now
            try await store.record(
                MembershipStep(results: answered, members: [.joining: members]),
                in: scope
            )
            time += clock.now - start
            answered = members.map { MembershipResult(fingerprint: $0.fingerprint, verdict: .done) }
            count += members.count
        }
        let start = clock.now
        try await store.record(MembershipStep(results: answered), in: scope)
        let end = RunEnd(status: .complete, tally: OutcomeTally(), at: .earliest)
        try await store.finishRun(run, as: end)
        return (count, time + (clock.now - start))
    }
}

/// Reads the members of a text list.
private struct MemberSource: ~Copyable {
    private var reader: RegistrationReader
    private let fingerprinter: Fingerprinter

    init(list: String, fingerprinter: Fingerprinter) throws {
        reader = try RegistrationReader(.file(path: list), directory: "")
        self.fingerprinter = fingerprinter
    }

    mutating func next(_ count: Int) throws -> [Member] {
        var members: [Member] = []
        while members.count < count, let entry = try reader.next() {
            guard case .registration(let registration) = entry else { continue }
            members.append(
                Member(
                    fingerprint: fingerprinter.fingerprint(of: registration),
                    registration: registration
                )
            )
        }
        return members
    }
}
