import DeliveryModel
import JSON

/// `GET /emulator/v1/search/messages`: messages on devices.
struct MessageSearch {
    let page: SearchPage
    private let terms: SearchTerms
    let device: String?
    private var query = MessageQuery()

    static let names =
        SearchTerms.names + [
            "device", "platform", "message_id", "request", "outcome", "how", "sound", "badge",
        ]

    init(_ target: RequestTarget) throws(GoogleError) {
        page = try SearchPage(target)
        let terms = try SearchTerms(target)
        let request = try Page.number("request", of: target, from: 1)
        let sound = target.parameter("sound")
        let badge = try Page.number("badge", of: target, from: 0)
        self.terms = terms
        device = target.parameter("device")
        query.platform = try SearchPage.choice("platform", of: target, as: DevicePlatform.self)
        query.id = target.parameter("message_id").map { MessageID($0) }
        query.outcome = try SearchPage.choice("outcome", of: target, as: MessageOutcome.self)
        query.manner = try SearchPage.choice(
            "how",
            of: target,
            as: ReceivedMessage.Manner.self
        )
        query.accepted = terms.time
        query.allows = { content in
            (request == nil || content.origin.request == request)
                && (sound == nil || content.look.sound == sound)
                && (badge == nil || content.look.badge == badge.map { Int64($0) })
                && terms.allow(content)
        }
    }

    /// Returns the matching messages of the page, and the number of all matches.
    func answer(in state: inout EmulatorState) -> (object: JSONObject, total: Int) {
        var query = query
        query.places = places(in: &state)
        let found = state.model.search(query, part: page.part, at: state.latest)
        let items = found.messages.map(\.json)
        return (page.answer("messages", of: items, total: found.total), found.total)
    }

    /// Returns the places of the wanted devices, or nil for all devices.
    private func places(in state: inout EmulatorState) -> [Int]? {
        var wanted: Set<Int>?
        if let device {
            wanted = Set([state.model.place(named: device)].compactMap(\.self))
        }
        if let registration = terms.registration {
            let place = Set([state.model.place(of: registration)].compactMap(\.self))
            wanted = wanted?.intersection(place) ?? place
        }
        if let fingerprint = terms.fingerprint {
            let places = Set(state.fingerprints.places(of: fingerprint, in: state.model))
            wanted = wanted?.intersection(places) ?? places
        }
        return wanted?.sorted()
    }
}

extension FoundMessage {
    /// The message with its device and outcome, without members that have no value.
    var json: JSONValue {
        var members: JSONObject = [
            "device": .string(device.name), "platform": .string(device.platform.rawValue),
        ]
        if let registration = device.registration {
            members["registration"] = .string(registration.text)
            members["fingerprint"] = .string(Fingerprint(of: registration.text).text)
        }
        let (acceptedAt, outcome, details) = parts
        members["outcome"] = .string(outcome.rawValue)
        members["accepted_at"] = .string(acceptedAt.rfc3339)
        for member in details.objectValue?.members ?? [] { members[member.key] = member.value }
        return .object(members)
    }

    private var parts: (DeliveryMoment, MessageOutcome, JSONValue) {
        switch fate {
        case .received(let message, let number):
            (message.acceptedAt, .delivered, message.json(number, on: device))
        case .waiting(let message): (message.acceptedAt, .pending, message.json)
        case .dropped(let message): (message.acceptedAt, message.outcome, message.json)
        }
    }
}
