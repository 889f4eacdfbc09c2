import CampaignMessages
package import CampaignModel
package import RegistrationLists

/// A text of a campaign with `locales` or variants, and the number of registrations that get it.
package struct PlannedText: Hashable, Sendable {
    package let key: TextKey
    package let count: Int

    package init(_ key: TextKey, count: Int) {
        self.key = key
        self.count = count
    }

    /// The key of `locales`; nil for other texts.
    package var locale: Locale? { key.locale }
}

extension PlannedText {
    /// Returns the number of registrations of a surveyed list for each text of a campaign, and of those that are held
    /// out.
    ///
    /// Empty for other targets, if the list is read when the send begins, and if it cannot be read. A campaign's only
    /// text is not counted, unless people are held out.
    package static func all(
        of campaign: Campaign,
        in project: Project,
        surveys: ListSurveys
    ) -> [PlannedText] {
        guard case .registrations(let list) = campaign.target, !list.isReadAtSend,
            let columns = project.columns(of: campaign),
            let survey = try? surveys[list]?.get(), let texts = survey[columns]?.texts
        else { return [] }
        return zip(columns.textKeys, texts.counts).map { PlannedText($0, count: $1) }
            .with(heldOut: texts.heldOutCount)
    }
}

extension [PlannedText] {
    /// Adds the number of registrations that are held out, if there are any.
    func with(heldOut: Int) -> [PlannedText] {
        heldOut == 0 ? self : self + [PlannedText(.heldOut, count: heldOut)]
    }
}

/// The text of each request of a send to a list, if the campaign has several.
///
/// 2 bytes per request.
package struct RequestTexts: Hashable, Sendable {
    package let keys: [TextKey]
    /// The place of each request's text in `keys`, in the order of the requests.
    private let numbers: [UInt16]

    package init(_ keys: [TextKey], numbers: [UInt16]) {
        self.keys = keys
        self.numbers = numbers
    }

    /// The texts of a surveyed list, with `RowTexts.heldOut` for people that are held out.
    ///
    /// `rows`: the rows that get the message; nil for all.
    init(_ keys: [TextKey], in survey: RowTexts, rows: [Int]? = nil) {
        self.keys = keys
        numbers = rows.map { rows in rows.map { survey.numbers[$0] } } ?? survey.numbers
    }

    /// The numbers of the requests to people that are held out, ascending.
    var heldOut: [Int] {
        numbers.indices.filter { numbers[$0] == RowTexts.heldOut }
    }

    /// Returns the texts without the requests to dead registrations and to people that are held out.
    func without(_ dead: [Int]) -> RequestTexts {
        let skipped = Set(dead)
        let kept = numbers.indices.filter {
            numbers[$0] != RowTexts.heldOut && !skipped.contains($0)
        }
        return RequestTexts(keys, numbers: kept.map { numbers[$0] })
    }

    package var counts: [PlannedText] {
        var counts = keys.map { _ in 0 }
        for number in numbers where counts.indices.contains(Int(number)) {
            counts[Int(number)] += 1
        }
        return zip(keys, counts).map { PlannedText($0, count: $1) }
    }

    /// Returns the registrations that get a text, among those of all requests.
    func registrations(ofText number: Int, among all: [Fingerprint]) -> [Fingerprint] {
        zip(numbers, all).filter { Int($0.0) == number }.map(\.1)
    }
}

/// Collects the texts of the remaining requests to a stored list.
struct StoredTexts {
    private let column: TextColumn
    private var places: [String: UInt16] = [:]
    private var keys: [TextKey] = []
    private var numbers: [UInt16] = []

    /// Nil if all rows of the list get the same text.
    init?(of columns: [String]) {
        guard let column = TextColumn(of: columns) else { return nil }
        self.column = column
    }

    /// Whether a row is held out.
    ///
    /// - Parameter value: The value of the row in the column.
    /// - Returns: Whether it is.
    func isHeldOut(_ value: String) -> Bool { column.key(value) == nil }

    mutating func add(_ value: String) {
        if let place = places[value] {
            numbers.append(place)
        } else {
            let place = UInt16(clamping: keys.count)
            places[value] = place
            keys.append(column.key(value) ?? .own)
            numbers.append(place)
        }
    }

    var texts: RequestTexts { RequestTexts(keys, numbers: numbers) }
}
