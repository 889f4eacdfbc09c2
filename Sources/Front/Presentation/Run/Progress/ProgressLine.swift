import CampaignModel
import RunControl

/// Renders a phase's progress on one line.
struct ProgressLine {
    private let progress: PhaseProgress
    private let now: ContinuousClock.Instant
    /// The occurrence's position, if there are many occurrences.
    private let place: (number: Int, of: Int)?

    init(
        _ progress: PhaseProgress,
        at now: ContinuousClock.Instant,
        place: (number: Int, of: Int)? = nil
    ) {
        self.progress = progress
        self.now = now
        self.place = place
    }

    /// For logs: `sale: 2,000 of 5,000, 200/s, 15 s left; 1,990 accepted`.
    var plain: String {
        let left = progress.secondsLeft(at: now).map { "\($0.seconds) left" }
        let parts = ["\(label): \(done)", rate(progress.rate(at: now)), left].compactMap(\.self)
        return parts.joined(separator: ", ") + tail
    }

    /// The last line of a phase: `sale: 5,000 of 5,000 in 25 s, 200/s; 5,000 accepted`.
    var last: String {
        let length = progress.length(at: now).components.seconds
        let time = length < 1 ? "less than 1 s" : Int(length).seconds
        let parts = ["\(label): \(done) in \(time)", rate(progress.meanRate(at: now))]
        return parts.compactMap(\.self).joined(separator: ", ") + tail
    }

    /// For a terminal of the given width, without a line break.
    ///
    /// `status` replaces the remaining time during a pause.
    func bar(
        columns: Int,
        style: TextStyle,
        status: String? = nil,
        isLast: Bool = false
    ) -> String {
        let width = columns < 100 ? 12 : 20
        let share = progress.total == 0 ? 1 : Double(progress.done) / Double(progress.total)
        let filled = max(0, min(width, Int(share * Double(width))))
        let name = label.cut(toColumns: columns < 100 ? 22 : 30)
        var line = CutLine(columns: columns - 1, style: style)
        line.add(name.padded(to: columns < 100 ? 22 : 30) + " ")
        line.add(String(repeating: "█", count: filled), in: .good)
        line.add(String(repeating: "░", count: width - filled), in: .good)
        line.add(" \(progress.done.grouped)/\(progress.total.grouped)")
        let figure = isLast ? progress.meanRate(at: now) : progress.rate(at: now)
        if let rate = rate(figure) { line.add(" " + rate) }
        if let status { line.add(" " + status, in: .attention) }
        if !isLast, status == nil, let left = progress.secondsLeft(at: now), left > 0 {
            line.add(" \(left.seconds) left")
        }
        for kind in ProgressKind.allCases {
            guard let count = progress.counts[kind], count > 0 else { continue }
            line.add(" \(count.grouped) \(progress.phase.word(kind))", in: kind.tone)
        }
        return line.text
    }

    private var label: String {
        let place = place.map { " (\($0.number.grouped) of \($0.of.grouped))" } ?? ""
        return progress.wording + place
    }

    private var done: String { "\(progress.done.grouped) of \(progress.total.grouped)" }

    private var tail: String {
        let wording = ProgressKind.allCases.compactMap { kind -> String? in
            guard let count = progress.counts[kind], count > 0 else { return nil }
            return "\(count.grouped) \(progress.phase.word(kind))"
        }
        return wording.isEmpty ? "" : "; " + wording.joined(separator: ", ")
    }

    private func rate(_ rate: Double?) -> String? {
        guard let rate else { return nil }
        let shown = rate < 10 ? Int(rate * 10) : Int(rate) * 10
        return shown < 100 ? "\(shown / 10).\(shown % 10)/s" : "\((shown / 10).grouped)/s"
    }
}

extension Int {
    /// For example, `95 s`, `12 min`, `2 h 5 min`.
    var seconds: String {
        switch self {
        case ..<120: "\(self) s"
        case ..<7_200: "\(self / 60) min"
        default: "\((self / 3_600).grouped) h \(self / 60 % 60) min"
        }
    }
}

extension ProgressKind {
    fileprivate var tone: TextStyle.Tone {
        switch self {
        case .done: .plain
        case .refused: .attention
        case .unknown: .bad
        }
    }
}

/// A line that never exceeds the width of a terminal, whatever its colours.
struct CutLine {
    private(set) var text = ""
    private var room: Int
    private let style: TextStyle

    init(columns: Int, style: TextStyle) {
        room = columns
        self.style = style
    }

    /// Appends a part, cut to the remaining width.
    ///
    /// Nothing follows a cut part.
    mutating func add(_ part: String, in tone: TextStyle.Tone = .plain) {
        guard room > 0, !part.isEmpty else { return }
        let cut = part.cut(toColumns: room)
        room = cut == part ? room - TextStyle.columns(of: part) : 0
        text += style.paint(cut, in: tone)
    }
}

extension String {
    /// The text in at most the given number of columns.
    ///
    /// Ends with `…` if it was cut.
    func cut(toColumns columns: Int) -> String {
        guard TextStyle.columns(of: self) > columns else { return self }
        var text = ""
        for character in self {
            guard TextStyle.columns(of: text + String(character)) < columns else { break }
            text.append(character)
        }
        return columns > 0 ? text + "…" : ""
    }
}
