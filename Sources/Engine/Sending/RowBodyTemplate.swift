import CampaignMessages
import CampaignModel
import Envelopes
import FCMWire
import JSON
import State
import Time

/// The body of requests that differ only in the rows of a list.
struct RowBodyTemplate {
    private let body: SendBodyTemplate
    /// Nil if the message is sent in the clear.
    private let sealing: Sealing?

    /// The part of the message that is encrypted with the key of each row.
    private struct Sealing {
        let clear: JSONTemplate
        let context: EnvelopeContext
        /// The place of the key among the values of a row.
        let keyPlace: Int

        /// Nil if the message cannot be encrypted: the list was stored without keys.
        init?(_ sealed: SealedContent, for shape: ListShape) {
            guard let context = sealed.context,
                let place = shape.columns.firstIndex(of: MessageColumns.keyColumn)
            else { return nil }
            clear = JSONTemplate(membersOf: sealed.clear, parts: shape.parts(of:))
            self.context = context
            keyPlace = place
        }

        /// Encrypts the message of a row; each call makes another envelope.
        func envelope(of row: RegistrationRow) throws(EnvelopeKey.Fault) -> Envelope {
            var writer = JSONWriter(layout: .compact)
            writer.append(json: "{")
            clear.append(to: &writer, filling: row.values)
            writer.append(json: "}")
            let key = try EnvelopeKey(parsing: row.values[keyPlace])
            return try Envelope(sealing: writer.bytes, for: key, in: context)
        }
    }

    /// - Throws: `.damaged` if an encrypted message has no keys.
    init(
        _ template: MessageTemplate,
        sentAt moment: Instant,
        for shape: ListShape
    ) throws(StateStoreError) {
        sealing = template.sealed.flatMap { Sealing($0, for: shape) }
        guard template.sealed == nil || sealing != nil else {
            throw .damaged(path: "", reason: "a list of an encrypted message has no public keys")
        }
        let isSealed = sealing != nil
        body = SendBodyTemplate(
            template.message(sentAt: moment),
            to: shape.kind == .fid ? .fid : .token,
            parts: { text in
                // The envelope is the only value of a row in the readable part.
                if isSealed { return text == SealedContent.mark ? [.gap(0)] : [.literal(text)] }
                return shape.parts(of: text)
            }
        )
    }

    /// Whether each body is encrypted.
    var isSealed: Bool { sealing != nil }

    /// - Throws: `.damaged` if the row has no valid key, which was checked before it was stored.
    func body(to row: RegistrationRow) throws(StateStoreError) -> [UInt8] {
        let token = row.registration.token
        guard let sealing else { return body.body(to: token, values: row.values) }
        do throws(EnvelopeKey.Fault) {
            let envelope = try sealing.envelope(of: row)
            return body.body(to: token, values: [envelope.text])
        } catch {
            throw .damaged(path: "", reason: "a stored public key cannot be used")
        }
    }
}
