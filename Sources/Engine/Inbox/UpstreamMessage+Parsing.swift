package import CampaignModel
import JSON

/// Why bytes are not an upstream message.
package enum UpstreamMessageError: Error, Hashable, Sendable {
    /// The text has more than `UpstreamMessage.sizeLimit` bytes.
    case tooLarge(bytes: Int)
    /// It is not one JSON text in UTF-8.
    case notJSON(offset: Int)
    case notAnObject
    case repeatedKey(String)
    /// A string contains U+0000.
    case nul
    /// It has a `message_type`: an ack, nack, receipt or control message.
    case otherType(String)
    case missing(Member)
    /// The member is not a string, or `data` not an object, or `time_to_live` not an integer.
    case wrongType(Member)
    case empty(Member)
    /// A value of `data` is not a string.
    case notAStringPair(key: String)
    /// `from` is not a registration.
    case invalidRegistration
    case timeToLiveOutOfRange(Int64)
    /// `to` names another sender than the one that receives.
    case foreignSender

    package enum Member: String, Hashable, Sendable, CaseIterable {
        case to
        case from
        case messageID = "message_id"
        case category
        case data
        case timeToLive = "time_to_live"
    }

    /// A stable name for metrics and answers, such as `too_large`.
    package var name: String {
        switch self {
        case .tooLarge: "too_large"
        case .notJSON: "not_json"
        case .notAnObject: "not_an_object"
        case .repeatedKey: "repeated_key"
        case .nul: "nul"
        case .otherType: "other_type"
        case .missing: "missing_member"
        case .wrongType: "wrong_type"
        case .empty: "empty_member"
        case .notAStringPair: "not_a_string_pair"
        case .invalidRegistration: "invalid_registration"
        case .timeToLiveOutOfRange: "time_to_live_out_of_range"
        case .foreignSender: "foreign_sender"
        }
    }
}

extension UpstreamMessage {
    /// Reads the JSON of a message: `{"from": TOKEN, "message_id": ID, "category": APP, "data": {…}}`,
    /// with an optional `time_to_live` in seconds and an optional `to`.
    ///
    /// Members with other names are ignored, because servers add them.
    ///
    /// `sender`: the project whose messages the listener receives.
    package init(
        parsing bytes: [UInt8],
        to sender: SenderID,
        arrival: UpstreamArrival
    ) throws(UpstreamMessageError) {
        guard bytes.count <= Self.sizeLimit else { throw .tooLarge(bytes: bytes.count) }
        let object = try UpstreamObject(parsing: bytes)
        if let type = object.messageType { throw .otherType(type) }
        if let address = try object.string(.to) {
            guard SenderID(address: address) == sender else { throw .foreignSender }
        }
        guard let registration = Registration(try object.text(.from)) else {
            throw .invalidRegistration
        }
        self.init(
            content: UpstreamContent(
                id: try object.text(.messageID),
                category: try object.text(.category),
                data: try object.pairs(),
                timeToLive: try object.timeToLive()
            ),
            from: registration,
            to: sender,
            arrival: arrival
        )
    }
}

/// The members of a message's JSON object.
private struct UpstreamObject {
    private typealias Member = UpstreamMessageError.Member

    private let object: PlacedJSONObject

    init(parsing bytes: [UInt8]) throws(UpstreamMessageError) {
        do throws(PlacedJSONObject.Failure) {
            object = try PlacedJSONObject(parsing: bytes[...])
        } catch {
            switch error {
            case .notJSON(let offset): throw .notJSON(offset: offset)
            case .notAnObject: throw .notAnObject
            case .repeatedKey(let key, _, _): throw .repeatedKey(key)
            case .nul: throw .nul
            }
        }
    }

    /// Nil if there is none; another value than a string counts as a type, too.
    var messageType: String? {
        guard let member = object["message_type"] else { return nil }
        return member.value.stringValue ?? object.text(of: member)
    }

    /// Nil if the member is missing.
    func string(_ member: UpstreamMessageError.Member) throws(UpstreamMessageError) -> String? {
        guard let found = object[member.rawValue] else { return nil }
        guard let text = found.value.stringValue else { throw .wrongType(member) }
        return text
    }

    func text(_ member: UpstreamMessageError.Member) throws(UpstreamMessageError) -> String {
        guard let text = try string(member) else { throw .missing(member) }
        guard !text.isEmpty else { throw .empty(member) }
        return text
    }

    func pairs() throws(UpstreamMessageError) -> [String: String] {
        guard let found = object[Member.data.rawValue] else { throw .missing(.data) }
        guard let members = found.value.objectValue?.members else { throw .wrongType(.data) }
        var pairs: [String: String] = [:]
        pairs.reserveCapacity(members.count)
        for member in members {
            guard let text = member.value.stringValue else {
                throw .notAStringPair(key: member.key)
            }
            pairs[member.key] = text
        }
        return pairs
    }

    func timeToLive() throws(UpstreamMessageError) -> Int64? {
        guard let found = object[Member.timeToLive.rawValue] else { return nil }
        guard let seconds = found.value.integerValue else { throw .wrongType(.timeToLive) }
        guard UpstreamMessage.timeToLiveRange.contains(seconds) else {
            throw .timeToLiveOutOfRange(seconds)
        }
        return seconds
    }
}
