import CampaignModel
import Sending
import State

extension OccurrenceRecorder {
    /// Returns the answers that earlier runs got for a list.
    func earlierAnswers(
        to unit: WorkUnitRecord,
        of occurrence: OccurrenceID
    ) async throws(StateStoreError) -> EarlierAnswers {
        let rejected = unit.tally[.rejected]
        let details = try await store.requests(of: unit.id, with: .rejected, limit: rejected)
        var dead: [Int] = []
        var mismatched = 0
        for request in details {
            guard let rejection = request.rejection else { continue }
            if rejection.isDead { dead.append(request.index) }
            if rejection == .senderIDMismatch { mismatched += 1 }
        }
        return EarlierAnswers(
            answers: unit.tally[.accepted] + rejected,
            dead: dead,
            mismatched: mismatched,
            isHeld: try await store.occurrence(occurrence)?.hold != nil
        )
    }
}
