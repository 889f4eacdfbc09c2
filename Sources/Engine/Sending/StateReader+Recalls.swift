import CampaignModel
package import State
import Time

extension StateReader where Self: ControlStore {
    /// The recalls that may begin or resume.
    ///
    /// A pause that was made after a request stops it.
    package func startableRecalls() async throws(StateStoreError) -> [OccurrenceRecord] {
        let open = try await occurrences(.openRecalls).filter { $0.hold == nil }
        guard !open.isEmpty else { return [] }
        let pauses = try await pauses()
        return open.filter { record in
            let later = pauses.filter { $0.since > record.due }
            return later.pause(of: record.id.campaign) == nil
        }
    }

    /// The replies to messages of devices that may begin or resume.
    ///
    /// A pause of everything, or of the rule by its name, stops them.
    package func startableReplies() async throws(StateStoreError) -> [OccurrenceRecord] {
        let open = try await occurrences(.openReplies).filter { $0.hold == nil }
        guard !open.isEmpty else { return [] }
        let pauses = try await pauses()
        return open.filter { pauses.pause(of: $0.id.campaign) == nil }
    }
}
