import CampaignLoading
import CampaignModel
import Diagnostics
import RegistrationLists
import Time

extension Rule {
    static let reachedTwiceAtOnce = Rule.ofEnvironments(.reachedTwiceAtOnce) { context, log in
        let together = context.together
        let named = together.meetings(of: together.people, areNamed: true)
        let unnamed = together.meetings(of: together.registrations, areNamed: false)
        var findings = SharedFindings()
        for meeting in named.found + named.others(in: unnamed) {
            findings.add(about: meeting.second.campaign) { context.reachedTwice(meeting) }
        }
        findings.report(to: &log)
    }
}

extension CrossCampaignAnalysis {
    /// The last send to each list counts, and the last send to all topics together.
    fileprivate func meetings(of audiences: [SharedDevices], areNamed: Bool) -> AudienceOverlaps {
        var meetings = AudienceOverlaps(areNamed: areNamed)
        for people in audiences {
            guard case .list(let first, let count) = people.who else { continue }
            var last: [RegistrationList?: Send] = [:]
            for send in people.sends where campaigns[send.campaign].showsSomething {
                for other in last.values.sorted(by: { $0.campaign < $1.campaign })
                where reachTwiceAtOnce(other, send) {
                    meetings.add(other, send, person: first, count: count)
                }
                last[campaigns[send.campaign].facts.list] = send
            }
        }
        return meetings
    }
}

extension AudienceOverlap {
    /// For example "2 registrations" and "1 person".
    fileprivate var people: String {
        switch (areNamed, count) {
        case (true, 1): "1 person"
        case (true, _): "\(count) people"
        case (false, 1): "1 registration"
        case (false, _): "\(count) registrations"
        }
    }
}

extension RuleContext {
    fileprivate func reachedTwice(_ meeting: AudienceOverlap) -> Diagnostic {
        let first = together.campaigns[meeting.first.campaign].campaign.id
        let second = together.campaigns[meeting.second.campaign].campaign.id
        let count = (together.isCut ? "at least " : "") + meeting.people
        return Diagnostic(
            rule: .reachedTwiceAtOnce,
            message:
                "\(count) would get `\(first)` and `\(second)` at the same time",
            span: audiencePlace(of: meeting.second.campaign),
            label: "the second, \(time(meeting.second.moment))",
            related: audiencePlace(of: meeting.first.campaign).map {
                [RelatedPlace(span: $0, message: "the first, \(time(meeting.first.moment))")]
            } ?? [],
            help: ["remove them from one audience, or send the second more than ten minutes later"]
        )
    }

    private func audiencePlace(of campaign: Int) -> SourceSpan? {
        declaration(of: together.campaigns[campaign].campaign)?.audience?.span
    }
}
