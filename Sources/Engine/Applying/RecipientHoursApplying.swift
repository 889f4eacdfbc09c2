import CampaignModel
import Planning
import RegistrationLists
import RunControl
import Sending
import State
import Time

/// What quiet hours in the time zones of recipients do to an occurrence.
struct ActiveHours {
    /// The numbers of the requests that wait, in ascending order.
    var waiting: [Int] = []
    /// The numbers of the requests that are not sent, in ascending order.
    var over: [Int] = []
    /// Whether some of them are too late, which is a failure.
    var isLate = false
    /// When the first of those that wait may be sent.
    var resumption: Instant?
    /// When quiet hours begin for the first of the others.
    var beginning: Instant?

    static let none = ActiveHours()
}

extension Applier {
    /// Decides which recipients wait for the end of their quiet hours, and which get no message.
    ///
    /// Dead registrations are in neither list. A unit of which no request was released has not
    /// begun, so that a run that was cut off before its first request decides again who is too late.
    func decideHours(of opened: OpenedSend) async throws(StateStoreError) -> ActiveHours {
        guard let hours = opened.step.recipients, !opened.requests.isEmpty,
            case .registrations(let list) = opened.unit.target
        else { return .none }
        let name = PeopleName(of: list, columns: hours.columns)
        let people = try await people(of: name, in: opened).people
        let now = settings.clock.now()
        let rules =
            [hours.standard]
            + people.zones.map { (try? project.zones.rules(named: $0)) ?? hours.standard }
        let hasBegun = opened.unit.released > 0
        let fates = rules.map { hours.fate(in: $0, hasBegun: hasBegun, at: now) }
        let zones = people.personZones
        var isUsed = [Bool](repeating: false, count: rules.count)
        var active = ActiveHours()
        for number in opened.living.all.joined() {
            let zone = zones.indices.contains(number) ? Int(zones[number]) : 0
            isUsed[zone] = true
            switch fates[zone] {
            case .send: break
            case .wait: active.waiting.append(number)
            case .over: active.over.append(number)
            case .late:
                active.over.append(number)
                active.isLate = true
            }
        }
        for zone in rules.indices where isUsed[zone] {
            switch fates[zone] {
            case .send:
                let beginning = hours.beginning(in: rules[zone], after: now)
                active.beginning = active.beginning.map { min($0, beginning) } ?? beginning
            case .wait(let end):
                active.resumption = active.resumption.map { min($0, end) } ?? end
            case .over, .late: break
            }
        }
        return active
    }

    /// Records the requests that are not sent.
    func expire(_ requests: [Int], of unit: UnitID) async throws(StateStoreError) {
        for first in stride(from: 0, to: requests.count, by: PageSize.outcomes) {
            let end = min(first + PageSize.outcomes, requests.count)
            let outcomes = requests[first..<end].map {
                RequestOutcome(index: $0, outcome: .expired)
            }
            try await store.record(outcomes, released: nil, of: unit)
        }
    }
}
