/// Records of a damaged state that are lost, by kind and number.
package enum LostRecordsWording: Sendable {
    case runs(Int)
    case occurrences(Int)
    case outcomes(Int)
    case lists(Int)
    case members(Int)

    /// Nil if nothing of this kind is lost.
    package var text: String? {
        switch self {
        case .runs(let count): text(count, of: "run", "without a record")
        case .occurrences(let count): text(count, of: "occurrence", "known only to have started")
        case .outcomes(let count): text(count, of: "request", "with a lost outcome, now unknown")
        case .lists(let count): text(count, of: "stored list", "with missing parts")
        case .members(let count): text(count, of: "member", "with an unreadable registration")
        }
    }

    private func text(_ count: Int, of what: String, _ loss: String) -> String? {
        count > 0 ? "\(count.counting(what)) \(loss)" : nil
    }
}
