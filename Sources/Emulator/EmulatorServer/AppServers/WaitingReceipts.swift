import DeliveryModel
import JSON

/// A receipt that an app server requested for a message to a device.
struct WaitingReceipt: Sendable {
    let server: AppServer
    let registration: DeviceRegistration
    let message: MessageID
    /// The ID that the app server gave to the message.
    let original: String

    private static let sender = "gcm.googleapis.com"

    private var id: String { "dr2:" + original }

    /// What the acknowledgement names.
    var key: UpstreamKey { UpstreamKey(registration: Self.sender, id: id) }

    /// The receipt (Firebase documentation, XMPP server protocol).
    func json(at moment: DeliveryMoment, category: String?) -> JSONObject {
        [
            "category": .string(category ?? "com.example.app"),
            "data": [
                "message_status": "MESSAGE_SENT_TO_DEVICE",
                "original_message_id": .string(original),
                "device_registration_id": .string(registration.text),
                "message_sent_timestamp": .string(String(moment.milliseconds)),
            ],
            "message_id": .string(id), "message_type": "receipt", "from": .string(Self.sender),
        ]
    }
}

/// The receipts that devices have not caused yet, or that app servers have not acknowledged.
///
/// The request log does not have them, so that a restart forgets them.
struct WaitingReceipts: Sendable {
    private var receipts: [Int: WaitingReceipt] = [:]
    private var sent: Set<Int> = []
    private var lastNumber = 0

    /// Maximum number of receipts; a further one replaces the oldest that is on no connection.
    private static let limit = 10_000

    /// Numbers are negative, unlike those of messages.
    mutating func add(_ receipt: WaitingReceipt) {
        if receipts.count >= Self.limit {
            guard let oldest = receipts.keys.filter({ !sent.contains($0) }).max() else { return }
            receipts[oldest] = nil
        }
        lastNumber -= 1
        receipts[lastNumber] = receipt
    }

    /// The receipts of a server that are on no connection, oldest first.
    func waiting(for server: AppServer) -> [(number: Int, receipt: WaitingReceipt)] {
        guard !receipts.isEmpty else { return [] }
        return receipts.filter { !sent.contains($0.key) && $0.value.server == server }
            .sorted { $0.key > $1.key }.map { ($0.key, $0.value) }
    }

    mutating func markSent(_ number: Int) { sent.insert(number) }

    mutating func resend(_ numbers: [Int]) { sent.subtract(numbers) }

    /// Removes the receipts of the app servers of a project.
    mutating func removeAll(of project: String) {
        for number in receipts.filter({ $0.value.server.project == project }).keys {
            remove(number)
        }
    }

    mutating func remove(_ number: Int) {
        receipts[number] = nil
        sent.remove(number)
    }
}
