/// How a project treats a rule's findings.
package enum RuleSetting: String, CaseIterable, Hashable, Sendable {
    case off
    case warn
    case error
}
