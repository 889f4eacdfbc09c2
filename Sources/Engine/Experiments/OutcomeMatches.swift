import CampaignModel
import State
import Time

/// An exposure, with what identifies its messages.
struct KnownExposure {
    let exposure: Exposure
    let key: String?
    let keepsIDs: Bool
}

/// Finds the subjects of events, exposure by exposure in the order of their beginnings.
struct OutcomeMatches {
    /// A campaign, and an event by its number.
    private struct Place: Hashable {
        let campaign: CampaignID
        let report: Int
    }

    private let reports: [OutcomeReport]
    private var persons: [UInt64: [Int]] = [:]
    private var registrations: [UInt64: [Int]] = [:]
    /// The numbers of events about messages.
    private(set) var messages: [String: [Int]] = [:]
    private var known: Set<Int> = []
    private var assigned: Set<Int> = []
    /// The last assignment counts: it is the last send before the event.
    private var found: [Place: SubjectOutcome] = [:]

    init(_ reports: [OutcomeReport]) {
        self.reports = reports
        for (number, report) in reports.enumerated() {
            switch report.subject {
            case .person(let key): persons[key, default: []].append(number)
            case .registration(let key): registrations[key, default: []].append(number)
            case .message(let id): messages[id, default: []].append(number)
            }
        }
    }

    /// Whether an event is about a subject of any experiment.
    func isKnown(_ number: Int) -> Bool { known.contains(number) }

    func isAssigned(_ number: Int) -> Bool { assigned.contains(number) }

    var outcomes: [CampaignID: [SubjectOutcome]] {
        Dictionary(grouping: found, by: \.key.campaign).mapValues { places in
            places.sorted { $0.key.report < $1.key.report }.map(\.value)
        }
    }

    /// `first`: the number of the first request; `rows`: the numbers of events by request.
    mutating func add(
        _ subjects: ExposedSubjects,
        from first: Int,
        of exposure: KnownExposure,
        messages rows: [Int: [Int]]
    ) {
        for (place, subject) in subjects.subjects.enumerated() where subject != 0 {
            var numbers = registrations[subjects.registrations[place]] ?? []
            if let more = persons[subject] { numbers += more }
            if !rows.isEmpty, let more = rows[first + place] { numbers += more }
            for number in numbers {
                assign(number, to: subject, arm: subjects.arms[place], of: exposure)
            }
        }
    }

    private mutating func assign(
        _ number: Int,
        to subject: UInt64,
        arm: UInt8,
        of exposure: KnownExposure
    ) {
        let report = reports[number]
        if let key = report.key, key != exposure.key { return }
        let campaign = exposure.exposure.occurrence.campaign
        guard (report.campaign ?? campaign) == campaign else { return }
        known.insert(number)
        guard arm != ExperimentRecord.noArm, exposure.exposure.begins <= report.time else { return }
        assigned.insert(number)
        let place = Place(campaign: campaign, report: number)
        found[place] = SubjectOutcome(
            event: report.event,
            unit: exposure.exposure.unit,
            subject: subject,
            arm: arm,
            name: report.name,
            time: report.time,
            value: report.value
        )
    }
}
