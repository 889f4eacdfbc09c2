import JSON
import Text

/// `GET /v1beta1/projects/PROJECT/androidApps/APP/deliveryData`: requests one page of aggregated
/// delivery data of an Android app (Firebase Cloud Messaging Data API, resource
/// projects.androidApps.deliveryData).
package struct DeliveryDataQuestion: Hashable, Sendable {
    /// Google's app ID, such as `1:1234567890:android:0a1b2c3d`.
    package let app: String
    /// The answer to the previous page; nil for the first one.
    package let pageToken: String?

    private static let pageSize = 1_000

    package init(app: String, pageToken: String? = nil) {
        self.app = app
        self.pageToken = pageToken
    }

    package func path(project: String) -> String {
        let page = pageToken.map { "&pageToken=\($0.percentEncoded)" } ?? ""
        return "/v1beta1/projects/\(project.percentEncoded)/androidApps/\(app.percentEncoded)"
            + "/deliveryData?pageSize=\(Self.pageSize)\(page)"
    }
}

/// The delivery data of one day and label.
///
/// Google leaves out days and labels with few messages.
package struct DeliveryDataDay: Hashable, Sendable {
    /// A date such as `2037-03-20`; Google's days are those of Los Angeles.
    package let date: String
    /// Empty for messages without an analytics label.
    package let label: String
    package let accepted: Int
    /// The share of accepted messages that were delivered; nil if Google does not tell.
    package let delivered: Double?

    package init(date: String, label: String, accepted: Int, delivered: Double?) {
        self.date = date
        self.label = label
        self.accepted = accepted
        self.delivered = delivered
    }

    /// Nil if it cannot be read.
    init?(_ json: JSONValue) {
        guard let date = json["date"].flatMap(Self.date),
            let accepted = json["data"]?["countMessagesAccepted"].flatMap(Self.count)
        else { return nil }
        self.date = date
        label = json["analyticsLabel"]?.stringValue ?? ""
        self.accepted = accepted
        delivered = json["data"]?["messageOutcomePercents"]?["delivered"].flatMap(Self.share)
    }

    private static func date(_ json: JSONValue) -> String? {
        guard let year = json["year"]?.integerValue, let month = json["month"]?.integerValue,
            let day = json["day"]?.integerValue, (1_970...9_999).contains(year),
            (1...12).contains(month), (1...31).contains(day)
        else { return nil }
        return "\(year)-\(month < 10 ? "0" : "")\(month)-\(day < 10 ? "0" : "")\(day)"
    }

    /// Google writes 64-bit integers as texts.
    private static func count(_ json: JSONValue) -> Int? {
        let count = json.integerValue.map(Int.init) ?? json.stringValue.flatMap { Int($0) }
        return count.flatMap { $0 >= 0 ? $0 : nil }
    }

    private static func share(_ json: JSONValue) -> Double? {
        let percent: Double? =
            switch json {
            case .integer(let number): Double(number)
            case .number(let number): number
            default: nil
            }
        return percent.flatMap { (0...100).contains($0) ? $0 / 100 : nil }
    }
}

/// Google's answer to a question for delivery data.
package enum DeliveryDataAnswer: Hashable, Sendable {
    /// `next`: the token of the next page; nil for the last one.
    case page([DeliveryDataDay], next: String?)
    /// Google's own message.
    case refused(String)

    package init(status: Int, body: [UInt8]) {
        guard status == 200, let json = JSONValue(parsing: body) else {
            self = .refused(JSONValue.errorText(in: body))
            return
        }
        let days = (json["androidDeliveryData"]?.arrayValue ?? []).compactMap(DeliveryDataDay.init)
        let next = json["nextPageToken"]?.stringValue
        self = .page(days, next: next.flatMap { $0.isEmpty ? nil : $0 })
    }
}
