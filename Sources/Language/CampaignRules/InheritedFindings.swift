import CampaignLoading
import CampaignModel
import Diagnostics

/// Findings of campaigns at values that they inherit from defaults or shared messages.
///
/// Equal findings of several campaigns are one finding that names them.
struct InheritedFindings {
    /// The maximum number of campaigns to name.
    private static let mostNames = 3

    private let context: RuleContext
    private var order: [Diagnostic] = []
    private var campaigns: [Diagnostic: [Int]] = [:]

    init(in context: RuleContext) {
        self.context = context
    }

    /// Adds a finding of the campaign with this number if it is at an inherited value.
    ///
    /// Returns whether it was added.
    mutating func add(_ finding: Diagnostic, ofCampaign number: Int) -> Bool {
        guard let span = finding.span, context.isInherited(span) else { return false }
        if campaigns[finding] == nil { order.append(finding) }
        campaigns[finding, default: []].append(number)
        return true
    }

    /// Each finding with the campaigns that inherit its value.
    var findings: [Diagnostic] {
        order.map { finding in
            let numbers = campaigns[finding] ?? []
            let named = numbers.prefix(Self.mostNames).map { context.project.campaigns[$0] }
            let places = zip(numbers, named).compactMap { number, campaign in
                context.document(ofCampaign: number)?.value.campaign.map { name in
                    RelatedPlace(
                        span: name.span,
                        message: context.inheritance(of: finding, by: campaign)
                    )
                }
            }
            let names = named.map { "`\($0.id)`" }
            let isNamed = names.first.map { finding.message.contains($0) } ?? true
            return Diagnostic(
                rule: finding.rule,
                severity: finding.severity,
                message: isNamed
                    ? finding.message
                    : finding.message + Self.wording(names, more: numbers.count - names.count),
                span: finding.span,
                label: finding.label,
                related: finding.related + places,
                help: finding.help,
                fix: finding.fix
            )
        }
    }

    /// For example, ``, in campaigns `a`, `b` and 12 more``.
    private static func wording(_ names: [String], more: Int) -> String {
        let parts = names + (more > 0 ? ["\(more) more"] : [])
        guard parts.count > 1, let last = parts.last else {
            return ", in campaign " + parts.joined()
        }
        return ", in campaigns " + parts.dropLast().joined(separator: ", ") + " and " + last
    }
}

extension RuleContext {
    fileprivate func isInherited(_ span: SourceSpan) -> Bool {
        span.source == projectFile || isInSharedMessage(span)
    }

    /// For example, "inherits it from `harbour-alert` and reaches up to 40000 devices".
    fileprivate func inheritance(of finding: Diagnostic, by campaign: Campaign) -> String {
        let isShared = finding.span.map(isInSharedMessage) ?? false
        let message = isShared ? declaration(of: campaign)?.extends?.value : nil
        let reach = declaredReach.upperBound(of: campaign.target)
        return "inherits it" + (message.map { " from `\($0)`" } ?? "")
            + (reach.map { " and reaches up to \($0) devices" } ?? "")
    }
}
