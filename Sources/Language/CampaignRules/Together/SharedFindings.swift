import CampaignLoading
import CampaignModel
import Diagnostics
import Time

/// The findings of one rule across campaigns.
///
/// Each campaign is reported once, ten are shown, and the last one contains the number of the
/// others.
struct SharedFindings {
    private static let maximum = 10

    private var named: Set<Int> = []
    private var shown: [Diagnostic] = []

    /// Adds a finding for the campaign that causes it, given by number.
    mutating func add(about campaign: Int, diagnostic: () -> Diagnostic) {
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
    /// Returns the span of a campaign's schedule, or else of its audience.
    func timingPlace(of campaign: Int) -> SourceSpan? {
        let declared = declaration(of: together.campaigns[campaign].campaign)
        return declared?.schedule?.span ?? declared?.audience?.span ?? declared?.campaign?.span
    }

    /// Returns "now" or a text such as "at 2037-01-05T07:33:00Z".
    ///
    /// The same files must produce the same text.
    func time(_ moment: Int64) -> String {
        moment == now.secondsSince1970 ? "now" : "at \(Instant(secondsSince1970: moment))"
    }

    /// Returns the places of other campaigns that are part of a finding.
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

    /// Returns the latest earlier sends, each of another campaign, at most four.
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
