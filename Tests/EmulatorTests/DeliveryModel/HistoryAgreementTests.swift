import FoundationEssentials
import Testing

/// Compares random histories of a device with an independent reference model.
///
/// `HERALD_HISTORIES` sets their number. Their seeds are 1, 2, 3 and so on.
struct HistoryAgreementTests {
    private static let count =
        ProcessInfo.processInfo.environment["HERALD_HISTORIES"].flatMap { UInt64($0) } ?? 500

    @Test(arguments: 0..<4)
    func `the machine and the reference model agree on random histories`(part: Int) {
        for seed in stride(from: UInt64(part) + 1, through: Self.count, by: 4) {
            let history = History(seed: seed)
            guard HistoryRun.disagreement(history) != nil else { continue }
            let shrunk = history.shrunk()
            let text = HistoryRun.disagreement(shrunk) ?? ""
            let steps = shrunk.steps.map { "\n  \($0)" }.joined()
            Issue.record(
                "seed \(seed), \(shrunk.platform), \(shrunk.options): \(text)\(steps)"
            )
            return
        }
    }
}
