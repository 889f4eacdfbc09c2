import CampaignModel
import FCMWire

/// A piece of text in a message and the path to it.
struct ContentText: Sendable {
    let text: String
    let marks: TextMarks
    private let holder: ContentHolder
    /// Nil in a list.
    private let key: String?

    fileprivate init(_ text: String, key: String?, in holder: ContentHolder) {
        self.text = text
        marks = TextMarks(text)
        self.holder = holder
        self.key = key
    }

    var path: [String] { holder.path + (key.map { [$0] } ?? []) }
    /// The last name on the way to the text.
    var name: String? { key ?? holder.key }

    /// The author chose the names along this path: it lies in data, not in FCM's fields.
    var isData: Bool {
        holder.isData || key == "data" || (holder.place == .applePayload && key != "aps")
    }

    /// It reaches apps and people; the rest says how the message is delivered.
    var isSent: Bool { holder.isSent || holder.place.isContent(key) }

    /// A notification says it, on any platform.
    var isShown: Bool {
        switch (holder.place, key) {
        case (.shown, "title"), (.shown, "subtitle"), (.shown, "body"), (.aps, "alert"): true
        default: false
        }
    }
}

/// An object of a message.
///
/// A class, so that all its texts share one path.
private final class ContentHolder: Sendable {
    enum Place {
        case message
        case android
        case apple
        case applePayload
        case aps
        case web
        /// A notification or an alert.
        case shown
        case other

        func inside(_ key: String) -> Place {
            switch (self, key) {
            case (.message, "android"): .android
            case (.message, "apns"): .apple
            case (.message, "webpush"): .web
            case (.apple, "payload"): .applePayload
            case (.applePayload, "aps"): .aps
            case (.message, "notification"), (.android, "notification"), (.web, "notification"),
                (.aps, "alert"):
                .shown
            default: .other
            }
        }

        /// Whether what stands under a key is a notification or data.
        func isContent(_ key: String?) -> Bool {
            switch (self, key) {
            case (.message, "notification"), (.android, "notification"), (.web, "notification"),
                (.message, "data"), (.android, "data"), (.web, "data"), (.apple, "payload"):
                true
            default: false
            }
        }
    }

    let key: String?
    let place: Place
    let isData: Bool
    let isSent: Bool
    private let parent: ContentHolder?

    /// The message itself.
    init() {
        key = nil
        place = .message
        isData = false
        isSent = false
        parent = nil
    }

    init(_ key: String, in parent: ContentHolder) {
        self.key = key
        place = parent.place.inside(key)
        isData =
            parent.isData || key == "data" || (parent.place == .applePayload && key != "aps")
        isSent = parent.isSent || parent.place.isContent(key)
        self.parent = parent
    }

    var path: [String] { (parent?.path ?? []) + (key.map { [$0] } ?? []) }
}

extension MessageContent {
    /// Every text and whole number, in the author's order.
    var texts: [ContentText] {
        var found: [ContentText] = []
        Self.collect(fields, in: ContentHolder(), into: &found)
        return found
    }

    private static func collect(
        _ object: JSONObject,
        in holder: ContentHolder,
        into found: inout [ContentText]
    ) {
        for member in object.members {
            collect(member.value, key: member.key, in: holder, into: &found)
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
