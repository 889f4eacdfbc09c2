/// A share of a campaign's recipients that should be reached within a time after the due time.
package struct Objective: Hashable, Sendable, CustomStringConvertible {
    /// Above 0%.
    package let share: Percentage
    /// In seconds, 1 to 2,419,200: FCM keeps no message longer.
    package let seconds: Int64

    /// Nil if the share or the time is out of range.
    package init?(share: Percentage, seconds: Int64) {
        guard share > .none, (1...TimeToLive.maximumSeconds).contains(seconds) else { return nil }
        self.share = share
        self.seconds = seconds
    }

    /// - Parameter text: A share and a duration, such as `90% in 2m`.
    package init?(_ text: String) {
        let (share, time) = Self.parts(of: text)
        guard let share = Percentage(share), let seconds = time.flatMap(DurationText.seconds) else {
            return nil
        }
        self.init(share: share, seconds: seconds)
    }

    /// Returns the texts before and after ` in `; the second is nil without it.
    package static func parts(of text: String) -> (share: String, time: String?) {
        guard let middle = text.firstRange(of: separator) else { return (text, nil) }
        return (String(text[..<middle.lowerBound]), String(text[middle.upperBound...]))
    }

    private static let separator = " in "

    /// The text that `init(_:)` reads.
    package var description: String {
        "\(share)\(Self.separator)\(DurationText.text(seconds: seconds))"
    }

    /// Returns the number of recipients that make up the share, rounded up; at least 1 of any.
    package func target(of count: Int) -> Int { count - share.rest.share(of: count) }
}
