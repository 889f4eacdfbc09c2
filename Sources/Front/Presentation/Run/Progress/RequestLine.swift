package import FCMClient

/// Renders a request on one line, for `--verbose`.
package struct RequestLine {
    package let text: String

    package init(_ note: RequestNote) {
        let end =
            switch note.end {
            case .status(let status): "\(status)"
            case .failed(let reason): reason
            }
        let place = TextStyle.line(note.place)
        text = "\(note.method) \(place) \(end) \(Self.time(note.duration))"
    }

    /// For example, `12 ms` or `1.204 s`.
    private static func time(_ duration: Duration) -> String {
        let milliseconds = Int((duration / .milliseconds(1)).rounded())
        guard milliseconds >= 1_000 else { return "\(milliseconds) ms" }
        let rest = String(milliseconds % 1_000 + 1_000).dropFirst()
        return "\((milliseconds / 1_000).grouped).\(rest) s"
    }
}
