import CampaignModel
import RunControl

extension DispatchMachine {
    /// Returns the progress from judgements that arrived together, without zero counts unless all
    /// are zero.
    ///
    /// `occurrence`: the occurrence that is sent; nil if none is.
    func progress(
        of judged: [(request: Int, judgement: Judgement)],
        in occurrence: OccurrenceID? = nil
    ) -> [ApplyEvent] {
        var counts: [ProgressKind: Int] = [:]
        for (request, judgement) in judged {
            guard let kind = kind(of: request, judgement: judgement) else { continue }
            counts[kind, default: 0] += 1
        }
        guard !counts.isEmpty else { return [.progressed(by: 0, of: occurrence)] }
        return ProgressKind.allCases.compactMap { kind in
            counts[kind].map { .progressed(by: $0, kind, of: occurrence) }
        }
    }

    /// Nil for requests that are repeated.
    private func kind(of request: Int, judgement: Judgement) -> ProgressKind? {
        let isRepeated = repeats[request] != nil
        return switch judgement {
        case .accepted: .done
        case .rejected: .refused
        case .slowed where !isRepeated: .refused
        case .failed where !isRepeated, .unknown where !isRepeated: .unknown
        case .slowed, .failed, .unknown, .unwritten, .throttled, .unauthorized, .refusedUs: nil
        }
    }
}
