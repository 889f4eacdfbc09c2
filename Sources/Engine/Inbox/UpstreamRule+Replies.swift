import CampaignMessages
import CampaignModel
import Crypto
import State
import Text

extension [UpstreamRule] {
    /// The replies to messages: for each rule, one per registration that sent at least one.
    ///
    /// `messages`: in the order of their positions.
    func replies(to messages: [InboxMessage]) -> [RequestedReplies] {
        compactMap { $0.replies(to: messages) }
    }
}

extension UpstreamRule {
    /// Nil if no message gets a reply.
    fileprivate func replies(to messages: [InboxMessage]) -> RequestedReplies? {
        guard let campaign = replies, let template = replyTemplate else { return nil }
        let answered = messages.filter {
            match.applies(toCategory: $0.message.category, data: $0.message.data)
        }
        guard let first = answered.first,
            let last = answered.map(\.message.arrival.time).max()
        else { return nil }
        var seen: Set<Fingerprint> = []
        let registrations = answered.filter { seen.insert($0.fingerprint).inserted }
            .map(\.message.registration)
        let occurrence = OccurrenceID(
            campaign: campaign,
            slot: .reply(to: first.position.number, in: first.position.inbox),
            revision: 1
        )
        let key = DeduplicationKey(of: occurrence)
        return RequestedReplies(
            occurrence,
            due: last,
            message: template.keyed(key).stored,
            deduplicationKey: template.needsKey ? key.text : nil,
            list: .ofReplies(occurrence, in: first.position.inbox),
            registrations: registrations
        )
    }
}

extension ListID {
    /// The list of an occurrence of replies: no file has it.
    fileprivate static func ofReplies(_ occurrence: OccurrenceID, in inbox: String) -> ListID {
        let name = "replies \(inbox) \(occurrence)"
        return ListID(text: Hexadecimal.text(of: SHA256.hash(data: Array(name.utf8))))
    }
}
