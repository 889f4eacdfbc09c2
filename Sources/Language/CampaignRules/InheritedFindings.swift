import CampaignLoading
import CampaignModel
import Diagnostics

/// Findings of campaigns at values that they inherit from `herald.yaml`.
///
/// Equal findings of several campaigns are one finding that names them.
struct InheritedFindings {
    /// The maximum number of campaigns to name.
    private static let mostNames = 3

    private let projectFile: SourceID?
    private var order: [Diagnostic] = []
    private var campaigns: [Diagnostic: [Int]] = [:]

    init(projectFile: SourceID?) {
        self.projectFile = projectFile
    }

    /// Adds a finding of the campaign with this number if it is at an inherited value.
    ///
    /// Returns whether it was added.
    mutating func add(_ finding: Diagnostic, ofCampaign number: Int) -> Bool {
        guard let projectFile, finding.span?.source == projectFile else { return false }
        if campaigns[finding] == nil { order.append(finding) }
        campaigns[finding, default: []].append(number)
        return true
    }

    /// Returns each finding with the campaigns that inherit its value.
    func findings(in context: RuleContext) -> [Diagnostic] {
        order.map { finding in
            let numbers = campaigns[finding] ?? []
            let named = numbers.prefix(Self.mostNames).map { context.project.campaigns[$0] }
            let places = zip(numbers, named).compactMap { number, campaign in
                context.document(ofCampaign: number)?.value.campaign.map { name in
                    RelatedPlace(span: name.span, message: context.inheritance(of: campaign))
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
    /// The file of `defaults`.
    var projectFile: SourceID? { declarations.project?.project?.span.source }

    fileprivate func inheritance(of campaign: Campaign) -> String {
        let reach = declaredReach.upperBound(of: campaign.target)
        return "inherits it" + (reach.map { " and reaches up to \($0) devices" } ?? "")
    }
}
