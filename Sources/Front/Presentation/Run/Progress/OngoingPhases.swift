import CampaignModel
import RunControl

/// The phases in progress: sends may overlap.
struct OngoingPhases {
    private struct Entry {
        var progress: PhaseProgress
        /// Its position in the order in which the phases began.
        let number: Int
    }

    private var phases: [ApplyPhase: Entry] = [:]
    private var lastNumber = 0
    /// All phases since none was in progress; nil if none is.
    private var sum: PhaseProgress?

    /// What to show on one line: the only phase, or the sum of those that overlap.
    var shown: PhaseProgress? { sum }

    mutating func begin(_ progress: PhaseProgress) {
        phases[progress.phase] = nil
        if phases.isEmpty { sum = progress } else { sum?.add(progress) }
        lastNumber += 1
        phases[progress.phase] = Entry(progress: progress, number: lastNumber)
    }

    /// `occurrence`: nil if the phase that began last advances.
    mutating func advance(
        by count: Int,
        kind: ProgressKind,
        of occurrence: OccurrenceID?,
        at moment: ContinuousClock.Instant
    ) {
        let phase = occurrence.map { ApplyPhase.sending($0) } ?? phase(of: nil)?.phase
        guard let phase, phases[phase] != nil else { return }
        phases[phase]?.progress.advance(by: count, kind: kind, at: moment)
        sum?.advance(by: count, kind: kind, at: moment)
    }

    /// Returns the phase that ended; nil if it was not in progress.
    mutating func end(_ phase: ApplyPhase) -> PhaseProgress? {
        guard let entry = phases.removeValue(forKey: phase) else { return nil }
        if phases.isEmpty { sum = nil }
        return entry.progress
    }

    mutating func removeAll() {
        phases = [:]
        sum = nil
    }

    /// Returns the phase that advances with `occurrence`.
    func phase(of occurrence: OccurrenceID?) -> PhaseProgress? {
        guard let occurrence else {
            return phases.values.max { $0.number < $1.number }?.progress
        }
        return phases[.sending(occurrence)]?.progress
    }
}
