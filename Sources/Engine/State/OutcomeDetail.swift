/// The detail of an outcome: its text, and why the request was retried if it was.
///
/// For example `UNREGISTERED`, `repeated after 503 UNAVAILABLE` or `projects/p/messages/1, repeated
/// after 500 INTERNAL`.
package struct OutcomeDetail: Hashable, Sendable {
    /// A message's name or a reason; nil if only the retry is recorded.
    package let words: String?
    /// Why the outcome of the first attempt was unknown.
    package let cause: String?

    package init(_ words: String?, repeatedAfter cause: String?) {
        self.words = words
        self.cause = cause
    }

    package init(text: String) {
        if text.hasPrefix(Self.mark) {
            self.init(nil, repeatedAfter: String(text.dropFirst(Self.mark.count)))
        } else if let range = text.firstRange(of: ", " + Self.mark) {
            let cause = String(text[range.upperBound...])
            self.init(String(text[..<range.lowerBound]), repeatedAfter: cause)
        } else {
            self.init(text, repeatedAfter: nil)
        }
    }

    package var text: String? {
        let parts = [words, cause.map { Self.mark + $0 }].compactMap(\.self)
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }

    package static let mark = "repeated after "
}
