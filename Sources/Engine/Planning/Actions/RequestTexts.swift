package import CampaignModel
import RegistrationLists

/// A text of a campaign with `locales`, and the number of registrations that get it.
package struct PlannedText: Hashable, Sendable {
    /// The key of `locales`; nil for the campaign's own text.
    package let locale: Locale?
    package let count: Int

    package init(locale: Locale?, count: Int) {
        self.locale = locale
        self.count = count
    }
}

/// The text of each request of a send to a list, if the campaign has `locales`.
///
/// 2 bytes per request.
package struct RequestTexts: Hashable, Sendable {
    /// The keys of `locales`; nil stands for the campaign's own text.
    package let locales: [Locale?]
    /// The place of each request's text in `locales`, in the order of the requests.
    private let numbers: [UInt16]

    package init(locales: [Locale?], numbers: [UInt16]) {
        self.locales = locales
        self.numbers = numbers
    }

    /// The texts of a surveyed list without the requests to dead registrations.
    ///
    /// `rows`: the rows that get the message; nil for all.
    init(
        _ texts: LocalizedTexts,
        in survey: LocaleSurvey,
        rows: [Int]? = nil,
        without dead: [Int]
    ) {
        locales = texts.all.map(\.locale)
        let all = rows.map { rows in rows.map { survey.numbers[$0] } } ?? survey.numbers
        guard !dead.isEmpty else {
            numbers = all
            return
        }
        let skipped = Set(dead)
        numbers = all.enumerated().filter { !skipped.contains($0.offset) }
            .map(\.element)
    }

    package var counts: [PlannedText] {
        var counts = locales.map { _ in 0 }
        for number in numbers where counts.indices.contains(Int(number)) {
            counts[Int(number)] += 1
        }
        return zip(locales, counts).map { PlannedText(locale: $0, count: $1) }
    }

    /// Returns the registrations that get a text, among those of all requests.
    func registrations(ofText number: Int, among all: [Fingerprint]) -> [Fingerprint] {
        zip(numbers, all).filter { Int($0.0) == number }.map(\.1)
    }
}

/// Collects the texts of the remaining requests to a stored list.
struct StoredTexts {
    private var places: [String: UInt16] = [:]
    private var locales: [Locale?] = []
    private var numbers: [UInt16] = []

    /// - Parameter key: The value of the row in `MessageColumns.keyColumn`.
    mutating func add(_ key: String) {
        if let place = places[key] {
            numbers.append(place)
        } else {
            let place = UInt16(clamping: locales.count)
            places[key] = place
            locales.append(Locale(key))
            numbers.append(place)
        }
    }

    var texts: RequestTexts { RequestTexts(locales: locales, numbers: numbers) }
}
