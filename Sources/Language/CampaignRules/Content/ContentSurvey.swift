import CampaignMessages
import CampaignModel
import JSON

/// Facts about all texts of a message, computed before rules check single texts.
///
/// One traversal computes them and stores nothing else.
struct ContentSurvey: Sendable {
    /// The UTF-8 bytes of keys and values, for all platforms together.
    private(set) var bytes = 0
    /// Whether a text or name that is sent may belong to one person.
    private(set) var mayBePersonal = false
    /// Whether a name of data belongs to a call.
    private(set) var namesCall = false

    init(_ content: MessageContent) {
        add(content.fields, at: .message)
    }

    private mutating func add(_ object: JSONObject, at place: ContentPlace) {
        let members = object.members
        for index in members.indices {
            let key = members[index].key
            bytes += key.utf8.count
            let inner = place.inside(key)
            add(members[index].value, named: key, at: inner)
        }
    }

    private mutating func add(_ value: JSONValue, named key: String, at place: ContentPlace) {
        switch value {
        case .string(let text):
            bytes += text.utf8.count
            add(text, named: key, at: place)
        case .integer(let number):
            let text = String(number)
            bytes += text.utf8.count
            add(text, named: key, at: place)
        case .array(let elements):
            for element in elements { add(element, named: key, at: place) }
        case .object(let object): add(object, at: place)
        case .null, .bool, .number: bytes += value.compactBytes.count
        }
    }

    private mutating func add(_ text: String, named key: String, at place: ContentPlace) {
        guard place.isSent else { return }
        let marks = TextMarks(text)
        mayBePersonal =
            mayBePersonal || !marks.isDisjoint(with: [.at, .eightDigits, .secret])
            || (marks.contains(.fourDigits) && OneTimeCode.mayName(text))
        guard place.isData else { return }
        mayBePersonal = mayBePersonal || PersonalKey.names(key)
        namesCall = namesCall || CallKey.isName(key)
    }
}
