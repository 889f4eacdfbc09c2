import Diagnostics

/// Colours a finished piece of a diagnostic with ANSI sequences if colour is on.
struct TerminalPaint {
    enum Tone: String {
        case error = "1;31"
        case warning = "1;33"
        case note = "1;32"
        case help = "1;36"
        case frame = "1;34"
        case emphasis = "1"

        init(_ severity: Severity) {
            switch severity {
            case .error: self = .error
            case .warning: self = .warning
            case .note: self = .note
            }
        }
    }

    let isOn: Bool

    func callAsFunction(_ text: String, in tone: Tone) -> String {
        isOn && !text.isEmpty ? "\u{1B}[\(tone.rawValue)m\(text)\u{1B}[0m" : text
    }
}
