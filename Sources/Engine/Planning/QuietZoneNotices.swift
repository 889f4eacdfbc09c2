import CampaignMessages
import CampaignModel
import RegistrationLists
import Scheduling
import State
import Time

/// Notices about recipients who wait, because it is night in their own time zones.
extension Planner {
    /// Returns at most one notice about an occurrence that begins at `begin`.
    func zoneNotices(
        on history: CampaignHistory,
        id: OccurrenceID,
        at begin: Instant,
        times: DueTimes
    ) -> [PlanNotice] {
        let campaign = history.campaign
        guard let hours = recipientHours(of: id, in: history, times: times),
            let recipients = known.recipients[campaign.id]
        else { return [] }
        let standard = hours.standard.name
        let counts = zoneCounts(of: campaign, standard: standard)
        var waiting: [QuietEffect.Zone] = []
        var mayArriveLater = false
        var leftOut = 0
        for name in Set(recipients.names.map { $0.isEmpty ? standard : $0 }) {
            let count = counts.map { $0[name] ?? 0 }
            guard count != 0 else { continue }
            let zone = recipients.rules(named: name) ?? hours.standard
            switch hours.fate(in: zone, hasBegun: false, at: begin) {
            case .send: break
            case .over, .late: leftOut += count ?? 0
            case .wait(let until):
                let end = history.template.end(due: until)
                mayArriveLater = mayArriveLater || end > hours.beginning(in: zone, after: until)
                waiting.append(
                    QuietEffect.Zone(
                        name: name,
                        until: times.scheduled(until),
                        count: count
                    )
                )
            }
        }
        waiting.sort { ($0.until.instant, $0.name) < ($1.until.instant, $1.name) }
        guard let first = waiting.first ?? nothing(at: begin, leftOut: leftOut, times: times)
        else { return [] }
        let effect = QuietEffect(
            .zones,
            until: first.until,
            count: counts == nil ? nil : waiting.reduce(0) { $0 + ($1.count ?? 0) },
            zones: waiting,
            leftOut: leftOut,
            mayArriveLater: mayArriveLater
        )
        return [.quietHours(id, effect)]
    }

    /// Replaces the first zone if no recipient waits, but some get no message.
    private func nothing(at begin: Instant, leftOut: Int, times: DueTimes) -> QuietEffect.Zone? {
        leftOut == 0
            ? nil : QuietEffect.Zone(name: "", until: times.scheduled(begin), count: 0)
    }

    /// Returns the number of living registrations by the zone of their person; nil if the plan is made
    /// without the list.
    ///
    /// `standard`: the zone of people without one.
    private func zoneCounts(of campaign: Campaign, standard: String) -> [String: Int]? {
        guard !isFromState, case .registrations(let list) = campaign.target,
            let survey = try? survey(of: list)
        else { return nil }
        let people = ListPeople(survey)
        var counts = [Int](repeating: 0, count: people.zones.count + 1)
        let numbers = people.personZones
        if known.dead.isEmpty {
            for number in numbers { counts[Int(number)] += 1 }
        } else {
            for (fingerprint, number) in zip(survey.fingerprints.inOrder(), numbers)
            where !known.dead.contains(fingerprint) {
                counts[Int(number)] += 1
            }
        }
        return Dictionary(zip([standard] + people.zones, counts)) { $0 + $1 }
    }
}
