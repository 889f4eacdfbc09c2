import Applying
import State

extension AnswerOverview {
    /// For example, `answered  seen: 12 registrations (plain 5, urgent 7)`.
    var wording: String {
        let parts = arms.map { "\($0.kind.label) \($0.count.grouped)" }
        let division = parts.isEmpty ? "" : " (\(parts.joined(separator: ", ")))"
        return "answered  \(event): \(count.counting("registration"))\(division)"
    }
}
