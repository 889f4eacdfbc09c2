import CampaignLoading
import CampaignModel
import Diagnostics
import Time

/// What one rule finds of campaigns together: each campaign is named once, ten are shown, and the
/// last of them says how many more there are.
struct SharedFindings {
    private static let maximum = 10

    private var named: Set<Int> = []
    private var shown: [Diagnostic] = []

    /// Of the campaign that is to blame, by its number.
    mutating func add(_ campaign: Int, _ diagnostic: () -> Diagnostic) {
        guard named.insert(campaign).inserted, shown.count < Self.maximum else { return }
        shown.append(diagnostic())
    }

    func report(to log: inout DiagnosticLog) {
        for diagnostic in shown.dropLast() { log.report(diagnostic) }
        guard let last = shown.last else { return }
        let more = named.count - shown.count
        let words = more == 1 ? "1 more campaign has" : "\(more) more campaigns have"
        log.report(more > 0 ? last.with(help: last.help + ["\(words) the same problem"]) : last)
    }
}

extension Diagnostic {
    fileprivate func with(help: [String]) -> Diagnostic {
        Diagnostic(
            rule: rule,
            severity: severity,
            message: message,
            span: span,
            label: label,
            related: related,
            help: help,
            fix: fix
        )
    }
}

extension RuleContext {
    /// Where a campaign says when it is sent, or else to whom.
    func timingPlace(of campaign: Int) -> SourceSpan? {
        let declared = declaration(of: together.campaigns[campaign].campaign)
        return declared?.schedule?.span ?? declared?.audience?.span ?? declared?.campaign?.span
    }

    /// As in "now" and "at 2037-01-05T07:33:00Z"; the same files are to give the same words.
    func time(_ moment: Int64) -> String {
        moment == now.secondsSince1970 ? "now" : "at \(Instant(secondsSince1970: moment))"
    }

    /// The places of other campaigns that have a part in a finding.
    func others(_ sends: [Send]) -> [RelatedPlace] {
        sends.compactMap { send in
            timingPlace(of: send.campaign).map {
                RelatedPlace(span: $0, message: "another, \(time(send.moment))")
            }
        }
    }
}

extension [Send] {
    static var maximumRelated: Int { 4 }

    /// The latest sends before this one, each of another campaign, at most four.
    func others(before number: Int, where isMeant: (Send) -> Bool = { _ in true }) -> [Send] {
        var campaigns: Set = [self[number].campaign]
        var found: [Send] = []
        for other in self[..<number].reversed() where found.count < Self.maximumRelated {
            guard isMeant(other), campaigns.insert(other.campaign).inserted else { continue }
            found.append(other)
        }
        return found
    }
}
