import Text

/// A share of a whole, in steps of 0.01%.
package struct Percentage: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// 0 to 10,000.
    package let basisPoints: Int

    private init(basisPoints: Int) {
        self.basisPoints = basisPoints
    }

    package static let none = Percentage(basisPoints: 0)
    package static let tenPercent = Percentage(basisPoints: 1_000)
    package static let thirtyPercent = Percentage(basisPoints: 3_000)
    package static let ninetyFivePercent = Percentage(basisPoints: 9_500)

    /// - Parameter text: `30%` or `0.25%`, from 0% to 100% with at most two decimals.
    package init?(_ text: String) {
        guard text.hasSuffix("%") else { return nil }
        let parts = text.dropLast().split(separator: ".", omittingEmptySubsequences: false)
        let areDigits = parts.allSatisfy { part in
            !part.isEmpty && part.utf8.allSatisfy(\.isASCIIDigit)
        }
        guard areDigits, parts.count <= 2, let whole = Int(parts[0]), whole <= 100 else {
            return nil
        }
        let decimals = parts.count == 2 ? String(parts[1]) : ""
        guard decimals.utf8.count <= 2 else { return nil }
        let hundredths = Int(decimals + String(repeating: "0", count: 2 - decimals.utf8.count))
        guard let hundredths, whole * 100 + hundredths <= 10_000 else { return nil }
        basisPoints = whole * 100 + hundredths
    }

    package var description: String {
        let (whole, rest) = basisPoints.quotientAndRemainder(dividingBy: 100)
        guard rest > 0 else { return "\(whole)%" }
        let decimals = rest % 10 == 0 ? "\(rest / 10)" : rest < 10 ? "0\(rest)" : "\(rest)"
        return "\(whole).\(decimals)%"
    }

    /// This share of a number, rounded down.
    package func share(of count: Int) -> Int {
        let (high, low) = count.multipliedFullWidth(by: basisPoints)
        return 10_000.dividingFullWidth((high, low)).quotient
    }

    /// The other part of the whole.
    package var rest: Percentage { Percentage(basisPoints: 10_000 - basisPoints) }

    package static func < (left: Percentage, right: Percentage) -> Bool {
        left.basisPoints < right.basisPoints
    }
}

/// A number, or a share of a whole.
package enum Threshold: Hashable, Sendable {
    case share(Percentage)
    case count(Int)

    /// - Parameter text: `5%`, or a whole number of at least 1.
    package init?(_ text: String) {
        if let share = Percentage(text) {
            self = .share(share)
        } else if let count = Int(text), count >= 1, !text.hasPrefix("+") {
            self = .count(count)
        } else {
            return nil
        }
    }
}
