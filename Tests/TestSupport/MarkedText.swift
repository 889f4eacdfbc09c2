/// A text with marked places; the marks are removed.
///
/// `«` and `»` surround a place, `‹` and `›` a second place that explains it.
package struct MarkedText: Sendable {
    package let text: String
    /// UTF-8 ranges of the text, in order of their start.
    package let places: [Range<Int>]
    package let secondPlaces: [Range<Int>]

    package init(_ marked: String) {
        var scanner = MarkScanner()
        for scalar in marked.unicodeScalars { scanner.take(scalar) }
        text = scanner.text
        places = scanner.places.sorted { $0.lowerBound < $1.lowerBound }
        secondPlaces = scanner.secondPlaces.sorted { $0.lowerBound < $1.lowerBound }
    }

    package var bytes: [UInt8] { Array(text.utf8) }
}

private struct MarkScanner {
    var text = ""
    var places: [Range<Int>] = []
    var secondPlaces: [Range<Int>] = []
    private var open: [Int] = []
    private var openSecond: [Int] = []

    mutating func take(_ scalar: Unicode.Scalar) {
        let offset = text.utf8.count
        switch scalar {
        case "«": open.append(offset)
        case "»": if let start = open.popLast() { places.append(start..<offset) }
        case "‹": openSecond.append(offset)
        case "›": if let start = openSecond.popLast() { secondPlaces.append(start..<offset) }
        default: text.unicodeScalars.append(scalar)
        }
    }
}
