import CampaignModel
package import JSON
package import RegistrationLists
import Time

/// What an emulator's devices received and opened.
///
/// Deliveries are `delivered`, and taps on the notification `opened`.
package struct EmulatorOutcomes: OutcomeSource {
    private var devices: ArraySlice<JSONValue>
    private let fingerprinter: Fingerprinter
    private var count = 0

    /// `inboxes`: the answer to `GET /emulator/v1/inboxes`.
    package init(inboxes: JSONValue, fingerprinter: Fingerprinter) {
        devices = (inboxes["devices"]?.arrayValue ?? [])[...]
        self.fingerprinter = fingerprinter
    }

    package mutating func next(atMost limit: Int) -> OutcomeBatch? {
        var batch = OutcomeBatch()
        while batch.reports.count < limit, let device = devices.popFirst() {
            guard
                let registration = device["registration"]?.stringValue
                    .flatMap({ Registration($0) })
            else { continue }
            for message in device["received"]?.arrayValue ?? [] {
                batch.reports += reports(of: message, to: registration)
            }
        }
        return batch.reports.isEmpty && devices.isEmpty ? nil : batch
    }

    /// The tag of a message is its de-duplication key, so it tells which send it belongs to.
    private mutating func reports(
        of message: JSONValue,
        to registration: Registration
    ) -> [OutcomeReport] {
        guard let id = message["message_id"]?.stringValue,
            let key = message["tag"]?.stringValue ?? message["collapse_key"]?.stringValue
        else { return [] }
        let events = [("delivered", "received_at"), ("opened", "opened_at")]
        return events.compactMap { name, member in
            guard let text = message[member]?.stringValue, let time = Instant(rfc3339: text) else {
                return nil
            }
            count += 1
            return OutcomeReport(
                line: count,
                subject: .registration(fingerprinter.fingerprint(of: registration).high),
                time: time,
                name: name,
                event: fingerprinter.fingerprint(ofIdentity: "\(name)\0\(id)\0\(text)"),
                key: key
            )
        }
    }
}
