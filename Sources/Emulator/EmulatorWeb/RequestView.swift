import DeliveryModel
import EmulatorAPI
import JSON

extension RecentRequests.Element {
    /// Maximum length of a shown path.
    private static let shownCharacters = 200

    var json: JSONValue {
        [
            "seq": .integer(Int64(sequence)), "time": .string(moment.rfc3339),
            "method": .string(method), "path": .string(String(target.prefix(Self.shownCharacters))),
            "status": .integer(Int64(status)),
        ]
    }
}
