import CampaignModel
import FCMWire

/// A piece of text in a message and the path to it.
struct ContentText: Hashable, Sendable {
    let path: [String]
    let text: String

    /// The author chose the names along this path: it lies in data, not in FCM's fields.
    var isData: Bool {
        if path.contains("data") { return true }
        return path.starts(with: ["apns", "payload"]) && path.dropFirst(2).first != "aps"
    }
}

extension MessageContent {
    /// What reaches apps and people: notifications and data, not how they are delivered.
    var sentTexts: [ContentText] {
        let roots = [
            ["notification"], ["data"],
            ["android", "notification"], ["android", "data"],
            ["apns", "payload"],
            ["webpush", "notification"], ["webpush", "data"],
        ]
        return roots.flatMap { texts(under: $0) }
    }

    /// What a notification says, on any platform.
    var shownTexts: [ContentText] {
        let holders = [
            ["notification"], ["android", "notification"], ["webpush", "notification"],
            ["apns", "payload", "aps", "alert"],
        ]
        let paths =
            holders.flatMap { holder in
                ["title", "subtitle", "body"].map { holder + [$0] }
            } + [["apns", "payload", "aps", "alert"]]
        return paths.compactMap { path in
            value(at: path)?.stringValue.map { ContentText(path: path, text: $0) }
        }
    }

    /// Every text and whole number below a path, in the author's order.
    func texts(under root: [String]) -> [ContentText] {
        var found: [ContentText] = []
        if let value = value(at: root) { Self.collect(value, at: root, into: &found) }
        return found
    }

    private static func collect(
        _ value: JSONValue,
        at path: [String],
        into found: inout [ContentText]
    ) {
        switch value {
        case .string(let text): found.append(ContentText(path: path, text: text))
        case .array(let elements):
            for element in elements { collect(element, at: path, into: &found) }
        case .object(let object):
            for member in object.members {
                collect(member.value, at: path + [member.key], into: &found)
            }
        case .integer(let number):
            found.append(ContentText(path: path, text: String(number)))
        case .null, .bool, .number: break
        }
    }
}
