/// Finds telephone numbers: a `+` and 8 to 15 digits (ITU-T E.164 allows 15), or 9 to 15 digits in
/// groups.
///
/// Prices, times, dates, years and versions are excluded.
enum TelephoneNumber {
    static func isIn(_ text: String) -> Bool {
        let scalars = Array(text.unicodeScalars)
        var index = 0
        while index < scalars.count {
            guard let run = DigitRun(at: index, in: scalars) else {
                index += 1
                continue
            }
            if run.isTelephoneNumber { return true }
            index = max(run.range.upperBound, index + 1)
        }
        return false
    }
}

/// Groups of digits with blanks, hyphens or parentheses between them.
private struct DigitRun {
    let range: Range<Int>
    private let groups: [[Unicode.Scalar]]
    private let hasPlus: Bool
    private let scalars: [Unicode.Scalar]

    init?(at start: Int, in scalars: [Unicode.Scalar]) {
        guard "+(".unicodeScalars.contains(scalars[start]) || scalars[start].isDigit else {
            return nil
        }
        var end = start
        var groups: [[Unicode.Scalar]] = [[]]
        for index in start..<scalars.count {
            let scalar = scalars[index]
            if scalar.isDigit {
                groups[groups.count - 1].append(scalar)
                end = index + 1
            } else if index > start, !Self.isSeparator(scalar) || index - end >= 2 {
                break
            } else if groups.last?.isEmpty == false {
                groups.append([])
            }
        }
        guard end > start else { return nil }
        range = start..<end
        self.groups = groups.filter { !$0.isEmpty }
        hasPlus = scalars[start] == "+"
        self.scalars = scalars
    }

    var isTelephoneNumber: Bool {
        let digits = groups.reduce(0) { $0 + $1.count }
        guard digits <= 15, !isPartOfMore, !isAmount else { return false }
        if hasPlus { return digits >= 8 }
        let isGrouped = groups.count >= 2 && groups.contains { $0.count >= 3 }
        let areGroupsLong = groups.dropFirst().allSatisfy { $0.count >= 2 }
        return digits >= 9 && isGrouped && areGroupsLong && !groups.contains(where: isYear)
    }

    private func isYear(_ group: [Unicode.Scalar]) -> Bool {
        group.count == 4 && (group.starts(with: ["1", "9"]) || group.starts(with: ["2", "0"]))
    }

    /// Whether it is part of a fraction, a time, a path or a word.
    private var isPartOfMore: Bool {
        if let before, before.isWordPart || ".,:/_-+=".unicodeScalars.contains(before) {
            return true
        }
        guard let after else { return false }
        if ".,:/".unicodeScalars.contains(after) {
            let next = range.upperBound + 1
            return next < scalars.count && scalars[next].isWordPart
        }
        return after.isWordPart || after == "_" || after == "="
    }

    private var before: Unicode.Scalar? {
        range.lowerBound > 0 ? scalars[range.lowerBound - 1] : nil
    }

    private var after: Unicode.Scalar? {
        range.upperBound < scalars.count ? scalars[range.upperBound] : nil
    }

    /// Whether a currency sign or per cent sign is next to it.
    private var isAmount: Bool {
        let left = scalars[..<range.lowerBound].last { !Self.isBlank($0) }
        let right = scalars[range.upperBound...].first { !Self.isBlank($0) }
        return [left, right].contains { scalar in
            scalar?.properties.generalCategory == .currencySymbol || scalar == "%"
        }
    }

    private static func isBlank(_ scalar: Unicode.Scalar) -> Bool {
        scalar == " " || scalar == "\u{A0}"
    }

    private static func isSeparator(_ scalar: Unicode.Scalar) -> Bool {
        isBlank(scalar) || scalar == "-" || scalar == "(" || scalar == ")"
    }
}
