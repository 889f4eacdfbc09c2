import CampaignModel
import State
import SystemIO

/// The subjects and requests of exposures, by the arms of the newest one.
struct ExposureTally: ~Copyable {
    private let experiment: ExperimentRecord
    private var sort: SubjectSort
    private(set) var requests: [ArmRequests]
    private(set) var isByPerson = false
    /// Number of rows whose subject was erased.
    private(set) var erased = 0
    private var count = 0

    /// `folder`: for a temporary file.
    init(of experiment: ExperimentRecord, folder: String) {
        self.experiment = experiment
        sort = SubjectSort(folder: folder)
        requests = experiment.arms.map { _ in ArmRequests() }
    }

    /// `outcomes`: one for each subject; nil if they were dropped.
    mutating func add(
        _ part: ExposedSubjects,
        of exposure: Exposure,
        outcomes: [Outcome]?
    ) throws(ExperimentError) {
        if !isByPerson { isByPerson = part.subjects != part.registrations }
        let numbers = experiment.numbers(ofArmsIn: exposure.experiment)
        for (place, subject) in part.subjects.enumerated() {
            let stored = Int(part.arms[place])
            let arm = numbers.indices.contains(stored) ? numbers[stored] : ExperimentRecord.noArm
            count += 1
            guard experiment.arms.indices.contains(Int(arm)) else { continue }
            if let outcome = outcomes?[place] {
                requests[Int(arm)].add(outcome, isHeldOut: experiment.arms[Int(arm)].kind.isHeldOut)
            }
            guard subject != 0 else {
                erased += 1
                continue
            }
            do throws(SystemError) {
                try sort.append(
                    SubjectSort.Row(
                        subject: subject,
                        number: count,
                        arm: arm,
                        covariate: part.covariates?[place] ?? .nan
                    )
                )
            } catch {
                throw .temporaryFile(error)
            }
        }
    }

    /// Joins the subjects with their outcomes.
    consuming func totals(_ sums: consuming SumPages) async throws(ExperimentError) -> SubjectTotals
    {
        var totals = SubjectTotals(arms: experiment.arms.count)
        let sorted = sort.finish()
        for group in 0..<SubjectSort.groups {
            let rows: [SubjectSort.Row]
            do throws(SystemError) { rows = try sorted.rows(inGroup: group) } catch {
                throw .temporaryFile(error)
            }
            var rest = rows[...]
            while let first = rest.first {
                let same = rest.prefix { $0.subject == first.subject }
                rest = rest.dropFirst(same.count)
                let value: Double?
                do throws(StateStoreError) { value = try await sums.value(of: first) } catch {
                    throw .state(error)
                }
                totals.add(same, value: value)
            }
        }
        return totals
    }
}

extension ExperimentRecord.Kind {
    /// Whether its subjects receive nothing.
    var isHeldOut: Bool { self == .heldOut || self == .heldOutGlobally }
}
