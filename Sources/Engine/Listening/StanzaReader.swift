import CampaignModel
import Inbox
import JSON
import Time
import Upstream

/// Turns the payloads of stanzas into events of a set of connections, and into notices.
struct StanzaReader: Sendable {
    typealias Event = ConnectionSet<UpstreamMessage>.Event

    let sender: SenderID

    struct Reading {
        var events: [Event] = []
        var notices: [UpstreamNotice] = []
    }

    func read(_ events: [LinkEvent], on id: ConnectionID, at time: Instant) -> Reading {
        var reading = Reading()
        for event in events { read(event, on: id, at: time, into: &reading) }
        return reading
    }

    private func read(
        _ event: LinkEvent,
        on id: ConnectionID,
        at time: Instant,
        into reading: inout Reading
    ) {
        switch event {
        case .connected: reading.events.append(.connected(id))
        case .payload(let bytes, let peer):
            let stanza = Stanza(bytes: bytes, peer: peer, connection: id)
            read(stanza, at: time, into: &reading)
        case .stanzaError(let code, let text):
            reading.notices.append(.stanzaError(code: code, text: text))
        case .foreignStanza: reading.notices.append(.ignored(type: "no gcm element"))
        case .ended(let end): reading.events.append(.ended(id, end))
        }
    }

    private struct Stanza {
        let bytes: [UInt8]
        let peer: String?
        let connection: ConnectionID
    }

    private func read(_ stanza: Stanza, at time: Instant, into reading: inout Reading) {
        let arrival = UpstreamArrival(at: time, over: .xmpp)
        do throws(UpstreamMessageError) {
            let message = try UpstreamMessage(parsing: stanza.bytes, to: sender, arrival: arrival)
            let acknowledgement = Acknowledgement(
                registration: message.registration.token,
                messageID: message.id,
                peer: stanza.peer
            )
            reading.events.append(
                .received(
                    UpstreamDelivery(
                        on: stanza.connection,
                        message: message,
                        acknowledgement: acknowledgement
                    )
                )
            )
        } catch {
            switch error {
            case .otherType: readOther(stanza, arrival: arrival, into: &reading)
            case .tooLarge, .notJSON, .notAnObject, .repeatedKey, .nul, .missing, .wrongType,
                .empty, .notAStringPair, .invalidRegistration, .timeToLiveOutOfRange,
                .foreignSender:
                refuse(error.name, stanza, into: &reading)
            }
        }
    }

    private func refuse(_ name: String, _ stanza: Stanza, into reading: inout Reading) {
        reading.events.append(.refused(stanza.connection))
        reading.notices.append(.refused(UpstreamNotice.Refusal(name: name), over: .xmpp))
    }

    private func readOther(
        _ stanza: Stanza,
        arrival: UpstreamArrival,
        into reading: inout Reading
    ) {
        guard let object = JSONValue(parsing: stanza.bytes)?.objectValue else {
            return refuse("not_json", stanza, into: &reading)
        }
        switch ServerStanza(object) {
        case .draining: reading.events.append(.draining(stanza.connection))
        case .refusal(let refusal): reading.notices.append(.refusedByServer(refusal))
        case .acknowledgement: reading.notices.append(.ignored(type: "ack"))
        case .unknown(let type): reading.notices.append(.ignored(type: type))
        case .receipt(let receipt):
            guard let device = receipt.registration.flatMap({ Registration($0) }) else {
                return refuse("invalid_registration", stanza, into: &reading)
            }
            let message = UpstreamMessage(
                content: UpstreamContent(
                    id: receipt.messageID,
                    category: receipt.category,
                    data: receipt.data
                ),
                from: device,
                to: sender,
                arrival: arrival
            )
            let delivery = UpstreamDelivery(
                on: stanza.connection,
                message: message,
                acknowledgement: Acknowledgement(
                    registration: receipt.from,
                    messageID: receipt.messageID,
                    peer: stanza.peer
                )
            )
            reading.events.append(.received(delivery))
        }
    }
}
