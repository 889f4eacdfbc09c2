import DeliveryModel
import EmulatorAPI
import JSON
import PhoneKeys

extension MessageContent {
    /// The headline of a message: its title and text, or the first key of its data if it has
    /// neither.
    var headline: JSONObject {
        var members: JSONObject = [:]
        members["title"] = title.map { .string($0.shortened) }
        members["body"] = body.map { .string($0.shortened) }
        if title == nil, body == nil { members["key_of_data"] = data.first.map { .string($0.key) } }
        return members
    }

    /// Returns the headline of a delivered message after the device's app has decrypted it.
    ///
    /// A message that the app cannot decrypt keeps the readable headline.
    func headline(on device: Device) -> JSONObject {
        guard case .clear(let clear)? = opened(on: device) else { return headline }
        var members: JSONObject = [:]
        let shown = clear["notification"]
        members["title"] = (shown?["title"]?.stringValue).map { .string($0.shortened) }
        members["body"] = (shown?["body"]?.stringValue).map { .string($0.shortened) }
        let first = clear["data"]?.objectValue?.members.first?.key
        if shown == nil { members["key_of_data"] = first.map { .string($0.shortened) } }
        members["decrypted"] = true
        return members
    }
}

extension String {
    /// The text, limited to the length that the page shows.
    var shortened: String { count > 300 ? String(prefix(300)) + "…" : self }
}
