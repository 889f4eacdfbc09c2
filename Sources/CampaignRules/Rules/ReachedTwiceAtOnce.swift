import CampaignLoading
import CampaignModel
import Diagnostics
import Registrations
import Scheduling

extension RulePage {
    static let reachedTwiceAtOnce = RulePage(
        .reachedTwiceAtOnce,
        whatItDoes: """
            Finds people who get notifications of two campaigns at once because two audiences \
            have them.

            At once is within ten minutes; campaigns without a schedule are all taken to be sent \
            now. The audiences are two lists that share people, or a list and a topic or condition \
            that somebody in it is known to belong to, because a list with him is kept subscribed. \
            Who is behind a registration is known where the list has a column for it (`identity`). \
            Two campaigns to the same list are no finding, nor are messages that show nothing on \
            any platform.
            """,
        whyIsThisBad: """
            Nobody sees in either file that the other has the same people. They get two \
            notifications in a row, and some then turn all of them off.
            """,
        example: """
            === campaigns/invitations.yaml
            campaign: dinner
            audience: { registrations: campaigns/registrations/members.txt }
            message: { notification: { title: Dinner at the harbour club } }
            schedule: { at: "2037-01-05 07:33" }
            delivery: { ttl: 5m }
            ---
            campaign: regatta
            audience: { registrations: campaigns/registrations/skippers.txt }
            message: { notification: { title: The regatta begins } }
            schedule: { at: "2037-01-05 07:40" }
            delivery: { ttl: 5m }
            === campaigns/registrations/members.txt
            ana-pixel:APA91b-tidewatch-0001
            bo-iphone:APA91b-tidewatch-0002
            === campaigns/registrations/skippers.txt
            bo-iphone:APA91b-tidewatch-0002
            """,
        useInstead: """
            === campaigns/invitations.yaml
            campaign: dinner
            audience: { registrations: campaigns/registrations/members.txt }
            message: { notification: { title: Dinner at the harbour club } }
            schedule: { at: "2037-01-05 07:33" }
            delivery: { ttl: 5m }
            ---
            campaign: regatta
            audience: { registrations: campaigns/registrations/skippers.txt }
            message: { notification: { title: The regatta begins } }
            schedule: { at: "2037-01-06 07:33" }
            delivery: { ttl: 5m }
            === campaigns/registrations/members.txt
            ana-pixel:APA91b-tidewatch-0001
            bo-iphone:APA91b-tidewatch-0002
            === campaigns/registrations/skippers.txt
            bo-iphone:APA91b-tidewatch-0002
            """,
        source: "Herald's own: two lists that overlap are seen only where both are read"
    )
}

extension Rule {
    static let reachedTwiceAtOnce = Rule(.reachedTwiceAtOnce) { context, log in
        let together = context.together
        var meetings = Meetings()
        for people in together.people {
            guard case .list(let first, let count) = people.who else { continue }
            var last: Send?
            for send in people.sends where together.campaigns[send.campaign].showsSomething {
                if let last, together.reachTwiceAtOnce(last, send) {
                    meetings.add(last, send, first, count)
                }
                last = send
            }
        }
        var findings = SharedFindings()
        for meeting in meetings.found {
            findings.add(meeting.second.campaign) { context.reachedTwice(meeting) }
        }
        findings.report(to: &log)
    }
}

extension RuleContext {
    fileprivate func reachedTwice(_ meeting: Meeting) -> Diagnostic {
        let first = together.campaigns[meeting.first.campaign].campaign.id
        let second = together.campaigns[meeting.second.campaign].campaign.id
        let more = meeting.count - 1
        let others = more > 0 ? " and \(together.isCut ? "at least " : "")\(more) more" : ""
        return Diagnostic(
            rule: .reachedTwiceAtOnce,
            message:
                "registration \(meeting.person)\(others) would get `\(first)` and `\(second)` at "
                + "once",
            span: audiencePlace(of: meeting.second.campaign),
            label: "the second, at \(Instant(secondsSince1970: meeting.second.moment))",
            related: audiencePlace(of: meeting.first.campaign).map {
                let moment = Instant(secondsSince1970: meeting.first.moment)
                return [RelatedPlace(span: $0, message: "the first, at \(moment)")]
            } ?? [],
            help: ["take them out of one audience, or send the second more than ten minutes later"]
        )
    }

    private func audiencePlace(of campaign: Int) -> SourceSpan? {
        declaration(of: together.campaigns[campaign].campaign)?.audience?.span
    }
}
