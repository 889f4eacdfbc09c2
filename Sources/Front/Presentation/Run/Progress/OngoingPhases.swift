import CampaignModel
import RunControl

/// The phases in progress: sends may overlap.
struct OngoingPhases {
    /// In the order in which they began.
    private var phases: [PhaseProgress] = []
    /// All phases since none was in progress; nil if none is.
    private var sum: PhaseProgress?

    /// What to show on one line: the only phase, or the sum of those that overlap.
    var shown: PhaseProgress? { sum }

    mutating func begin(_ progress: PhaseProgress) {
        phases.removeAll { $0.phase == progress.phase }
        if phases.isEmpty { sum = progress } else { sum?.add(progress) }
        phases.append(progress)
    }

    /// `occurrence`: nil if the phase that began last advances.
    mutating func advance(
        by count: Int,
        kind: ProgressKind,
        of occurrence: OccurrenceID?,
        at moment: ContinuousClock.Instant
    ) {
        let place =
            occurrence.map { id in phases.lastIndex { $0.phase == .sending(id) } }
            ?? phases.indices.last
        guard let place else { return }
        phases[place].advance(by: count, kind: kind, at: moment)
        sum?.advance(by: count, kind: kind, at: moment)
    }

    /// Returns the phase that ended; nil if it was not in progress.
    mutating func end(_ phase: ApplyPhase) -> PhaseProgress? {
        guard let place = phases.firstIndex(where: { $0.phase == phase }) else { return nil }
        defer { if phases.isEmpty { sum = nil } }
        return phases.remove(at: place)
    }

    mutating func removeAll() {
        phases = []
        sum = nil
    }

    /// Returns the phase that advances with `occurrence`.
    func phase(of occurrence: OccurrenceID?) -> PhaseProgress? {
        guard let occurrence else { return phases.last }
        return phases.last { $0.phase == .sending(occurrence) }
    }
}
