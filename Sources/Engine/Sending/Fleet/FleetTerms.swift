import CampaignMessages
import CampaignModel
import JSON
import Planning
import State
import Time

/// What a worker needs to send requests of an occurrence that another process opened.
struct FleetTerms: Hashable, Sendable {
    let list: ListID
    let message: MessageTemplate
    /// When the message expires.
    let end: Instant
    /// Whether the IDs of accepted messages are stored.
    let keepsIDs: Bool
    /// Whether a request is sent again after an answer that leaves delivery unknown.
    let repeatsAnswered: Bool

    init(
        list: ListID,
        message: MessageTemplate,
        end: Instant,
        keepsIDs: Bool,
        repeatsAnswered: Bool
    ) {
        self.list = list
        self.message = message
        self.end = end
        self.keepsIDs = keepsIDs
        self.repeatsAnswered = repeatsAnswered
    }

    /// Nil for a send that a fleet cannot share: to a topic, condition or group, or one that stops at an
    /// unknown outcome or repeats it.
    init?(_ sending: ActiveOccurrence) {
        guard case .registrations(let list) = sending.unit.target, sending.groupKey == nil,
            !sending.policy.stopsAtUnknown, sending.policy.repeats != .always
        else { return nil }
        self.init(
            list: list,
            message: sending.message,
            end: sending.message.end(due: sending.due),
            keepsIDs: sending.unit.keepsIDs,
            repeatsAnswered: sending.policy.repeats == .answered
        )
    }

    var stored: JSONValue {
        .object([
            "list": .string(list.text), "message": message.stored,
            "end": .integer(end.secondsSince1970), "keeps_ids": .bool(keepsIDs),
            "repeats_answered": .bool(repeatsAnswered),
        ])
    }

    init?(stored: JSONValue) {
        guard let list = stored["list"]?.stringValue,
            let message = stored["message"].flatMap(MessageTemplate.init(stored:)),
            let end = stored["end"]?.integerValue,
            let keepsIDs = stored["keeps_ids"]?.boolValue,
            let repeatsAnswered = stored["repeats_answered"]?.boolValue
        else { return nil }
        self.init(
            list: ListID(text: list),
            message: message,
            end: Instant(secondsSince1970: end),
            keepsIDs: keepsIDs,
            repeatsAnswered: repeatsAnswered
        )
    }
}
