import DeliveryModel
import JSON

/// An Android app in a delivery data request.
package struct DeliveryDataPlace: Hashable, Sendable {
    let project: String
    /// Google's app ID, or the package name.
    let app: String
}

extension DeliveryBackend {
    /// Decides `GET /v1beta1/projects/{project}/androidApps/{app}/deliveryData` (Firebase
    /// documentation, REST resource projects.androidApps.deliveryData).
    ///
    /// Devices without a package count for every app. Days are in UTC, while Google's are in Los
    /// Angeles time.
    func decideDeliveryData(
        _ request: EmulatorRequest,
        of place: DeliveryDataPlace,
        at now: DeliveryMoment
    ) throws(GoogleError) -> Decision {
        guard request.isAuthorized else { throw .unauthenticated }
        let target = RequestTarget(request.target)
        try target.refuseUnknownParameters(but: ["pageSize", "pageToken"])
        let page = try DeliveryDataPage(target)
        let rows = deliveryData(of: place, at: now)
        let part = rows.dropFirst(page.start).prefix(page.size)
        var answer = JSONObject()
        if !part.isEmpty {
            answer["androidDeliveryData"] = .array(part.map { $0.json(of: place) })
        }
        if part.endIndex < rows.count {
            answer["nextPageToken"] = .string(String(part.endIndex))
        }
        return Decision(answer: .success(.object(answer)))
    }

    /// Returns one row per day and label, newest day first.
    private func deliveryData(
        of place: DeliveryDataPlace,
        at now: DeliveryMoment
    ) -> [DeliveryDataRow] {
        var rows: [DeliveryDataRow.Key: DeliveryDataRow] = [:]
        for inbox in currentInboxes(at: now) where inbox.device.isOf(place) {
            for fate in inbox.fates {
                let key = DeliveryDataRow.Key(fate)
                rows[key, default: DeliveryDataRow(key: key)].tally.add(fate)
            }
        }
        return rows.values.sorted {
            ($1.key.day, $0.key.label) < ($0.key.day, $1.key.label)
        }
    }
}

/// `pageSize` and `pageToken`: at most 10,000 rows (default: 1,000).
private struct DeliveryDataPage {
    let start: Int
    let size: Int

    init(_ target: RequestTarget) throws(GoogleError) {
        guard let start = Int(target.parameter("pageToken", "page_token") ?? "0"), start >= 0 else {
            throw .invalid("page_token", because: "Invalid page token.")
        }
        guard let size = Int(target.parameter("pageSize", "page_size") ?? "0"), size >= 0 else {
            throw .invalid("page_size", because: "Invalid page size.")
        }
        self.start = start
        self.size = size == 0 ? 1_000 : min(size, 10_000)
    }
}

/// Outcomes of the messages of one day with one label.
private struct DeliveryDataRow {
    struct Key: Hashable {
        /// A date such as `2037-03-20`.
        let day: String
        /// Empty for messages without a label.
        let label: String

        init(_ fate: MessageFate) {
            day = String(fate.acceptedAt.rfc3339.prefix(10))
            label = fate.label ?? ""
        }
    }

    let key: Key
    var tally = MessageTally()

    init(key: Key) {
        self.key = key
    }

    /// Returns the row as JSON; integers are strings, as in all JSON of Google.
    func json(of place: DeliveryDataPlace) -> JSONValue {
        var members: JSONObject = ["appId": .string(place.app), "date": date]
        members["analyticsLabel"] = key.label.isEmpty ? nil : .string(key.label)
        members["data"] = [
            "countMessagesAccepted": .string(String(tally.accepted)),
            "countNotificationsAccepted": .string(String(tally.notifications)),
            "messageOutcomePercents": outcomes, "deliveryPerformancePercents": performance,
            "messageInsightPercents": [
                "priorityLowered": percent(tally.lowered, of: tally.accepted)
            ],
        ]
        return .object(members)
    }

    private var date: JSONValue {
        let parts = key.day.split(separator: "-").compactMap { Int64($0) }
        guard parts.count == 3 else { return [:] }
        return [
            "year": .integer(parts[0]), "month": .integer(parts[1]), "day": .integer(parts[2]),
        ]
    }

    /// The percentages of the outcomes that Google has; other outcomes are omitted.
    private var outcomes: JSONValue {
        let words: [MessageOutcome] = [
            .delivered, .pending, .collapsed, .droppedTooManyPendingMessages,
            .droppedAppForceStopped, .droppedDeviceInactive, .droppedTtlExpired,
        ]
        return percents(words.map { ($0.rawValue, tally[$0]) }, of: tally.accepted)
    }

    /// The percentages of delivered messages.
    private var performance: JSONValue {
        let words: [MessageDelay] = [
            .deliveredNoDelay, .delayedDeviceOffline, .delayedDeviceDoze,
            .delayedMessageThrottled, .delayedUserStopped,
        ]
        return percents(words.map { ($0.rawValue, tally[$0]) }, of: tally[.delivered])
    }

    private func percents(_ counts: [(String, Int)], of whole: Int) -> JSONValue {
        .object(
            JSONObject(
                counts.map { JSONObject.Member(key: $0.0, value: percent($0.1, of: whole)) }
            )
        )
    }

    /// Returns a percentage with two decimals.
    private func percent(_ part: Int, of whole: Int) -> JSONValue {
        guard whole > 0 else { return 0 }
        let hundredths = (Double(part) * 10_000 / Double(whole)).rounded()
        let isWhole = hundredths.remainder(dividingBy: 100) == 0
        return isWhole ? .integer(Int64(hundredths) / 100) : .number(hundredths / 100)
    }
}

extension Device {
    fileprivate func isOf(_ place: DeliveryDataPlace) -> Bool {
        platform == .android && belongs(to: place.project)
            && (packageName == nil || packageName == place.app || place.app.hasPrefix("1:"))
    }
}
