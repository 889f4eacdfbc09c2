package import CampaignMessages
package import CampaignModel
package import State
package import Time

/// What the recall of an occurrence does.
package struct RecallPlan: Hashable, Sendable {
    package let sent: OccurrenceRecord
    package let unit: WorkUnitRecord
    /// What replaces the notification.
    package let message: RecallMessage
    package let effect: RecallEffect
    /// In the stored form of a request.
    package let template: MessageTemplate
    /// When it expires, with the message that it replaces.
    package let end: Instant

    /// The number of requests that FCM accepted, or may have accepted.
    package var reached: Int { Self.reached(unit) }
    /// The number of requests that are cancelled.
    package var unsent: Int {
        guard sent.status == .dispatching else { return 0 }
        return unit.tally[.intended] - unit.open + unit.tally[.returned]
    }

    /// Plans the recall of an occurrence.
    ///
    /// - Parameters:
    ///   - sent: The occurrence.
    ///   - message: What the recall says.
    ///   - others: The occurrences whose messages may replace this one, and its recall if it has one.
    ///   - now: The current time.
    /// - Throws: Why there is nothing to take back.
    package init(
        _ sent: OccurrenceRecord,
        saying message: RecallMessage,
        among others: [OccurrenceRecord],
        at now: Instant
    ) throws(RecallRefusal) {
        if sent.id.slot.isRecall { throw .isRecall }
        if let earlier = others.first(where: { $0.id == sent.id.recall }) {
            throw .alreadyRequested(earlier)
        }
        guard let unit = sent.unit else { throw .notBegun }
        guard unit.compacted == nil else { throw .compacted }
        guard let template = sent.message.flatMap(MessageTemplate.init(stored:)) else {
            throw .unreadable
        }
        let effect = RecallEffect(of: template)
        guard effect.canReplace else { throw .showsNothing }
        guard Self.reached(unit) > 0 else { throw .nothingAccepted }
        let end = template.recallEnd(due: sent.due)
        guard now < end else { throw .expired(end) }
        if let (later, key) = template.replacement(of: sent, among: others) {
            throw .replaced(by: later, under: key)
        }
        self.sent = sent
        self.unit = unit
        self.message = message
        self.effect = effect
        self.end = end
        self.template = template.recalled(by: message, due: sent.due)
    }

    static func reached(_ unit: WorkUnitRecord) -> Int {
        unit.tally[.accepted] + unit.tally[.unknown] + unit.open
    }

    /// Whether the author chose a key of the message, so that other occurrences may have it too.
    package static func hasAuthorsKey(_ sent: OccurrenceRecord) -> Bool {
        let template = sent.message.flatMap(MessageTemplate.init(stored:))
        return template?.replacementKeys.contains { $0.text != sent.deduplicationKey } ?? false
    }
}

/// Why an occurrence cannot be taken back.
package enum RecallRefusal: Error, Hashable, Sendable {
    /// It is a recall.
    case isRecall
    case alreadyRequested(OccurrenceRecord)
    /// It waits for its due time, or was never sent.
    case notBegun
    /// FCM accepted no request.
    case nothingAccepted
    /// No platform shows a notification that another one can replace.
    case showsNothing
    /// The message has expired.
    case expired(Instant)
    /// Its single outcomes were dropped.
    case compacted
    case unreadable
    /// Another occurrence was sent since then under the same key.
    case replaced(by: OccurrenceID, under: ReplacementKey)
}

extension MessageTemplate {
    /// Returns the last occurrence that has replaced the message of `sent`, with a key that both have.
    ///
    /// Units are numbered in the order in which sends begin, even within a second.
    fileprivate func replacement(
        of sent: OccurrenceRecord,
        among others: [OccurrenceRecord]
    ) -> (OccurrenceID, ReplacementKey)? {
        let keys = replacementKeys
        func number(_ record: OccurrenceRecord) -> Int64 { record.unit?.id.number ?? 0 }
        let later = others.filter { other in
            other.id != sent.id && other.recall == nil && number(other) > number(sent)
                && other.unit.map { $0.released > 0 } ?? false
        }
        for other in later.sorted(by: { number($0) > number($1) }) {
            let template = other.message.flatMap(MessageTemplate.init(stored:))
            let shared = template?.replacementKeys.intersection(keys) ?? []
            let first = shared.min { $0.platform.rawValue < $1.platform.rawValue }
            if let first { return (other.id, first) }
        }
        return nil
    }
}
