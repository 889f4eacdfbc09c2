import CampaignModel
import JSON

/// A text in a message, and the path to it.
struct ContentText: Sendable {
    let text: String
    let marks: TextMarks
    private let holder: ContentHolder
    /// nil in a list.
    private let key: String?

    fileprivate init(_ text: String, key: String?, in holder: ContentHolder) {
        self.text = text
        marks = TextMarks(text)
        self.holder = holder
        self.key = key
    }

    var path: [String] { holder.path + (key.map { [$0] } ?? []) }
    /// The last name on the path to the text.
    var name: String? { key ?? holder.key }

    /// Whether the author chose the names on this path, so that it is in data and not in FCM's
    /// fields.
    var isData: Bool { key.map(holder.place.inside)?.isData ?? holder.place.isData }

    /// Whether it reaches apps and people; other texts are delivery settings.
    var isSent: Bool { key.map(holder.place.inside)?.isSent ?? holder.place.isSent }
}

/// An object of a message.
///
/// It is a class, so that all its texts share one path.
private final class ContentHolder: Sendable {
    let key: String?
    let place: ContentPlace
    private let parent: ContentHolder?

    /// The message itself.
    init() {
        key = nil
        place = .message
        parent = nil
    }

    init(_ key: String, in parent: ContentHolder) {
        self.key = key
        place = parent.place.inside(key)
        self.parent = parent
    }

    var path: [String] { (parent?.path ?? []) + (key.map { [$0] } ?? []) }
}

extension MessageContent {
    /// Every text and integer, in the author's order.
    var texts: [ContentText] {
        var found: [ContentText] = []
        found.reserveCapacity(32)
        Self.collect(fields, in: ContentHolder(), into: &found)
        return found
    }

    private static func collect(
        _ object: JSONObject,
        in holder: ContentHolder,
        into found: inout [ContentText]
    ) {
        let members = object.members
        for place in members.indices {
            collect(members[place].value, key: members[place].key, in: holder, into: &found)
        }
    }

    private static func collect(
        _ value: JSONValue,
        key: String?,
        in holder: ContentHolder,
        into found: inout [ContentText]
    ) {
        switch value {
        case .string(let text): found.append(ContentText(text, key: key, in: holder))
        case .integer(let number):
            found.append(ContentText(String(number), key: key, in: holder))
        case .array(let elements):
            let list = key.map { ContentHolder($0, in: holder) } ?? holder
            for element in elements { collect(element, key: nil, in: list, into: &found) }
        case .object(let object):
            collect(object, in: key.map { ContentHolder($0, in: holder) } ?? holder, into: &found)
        case .null, .bool, .number: break
        }
    }
}
