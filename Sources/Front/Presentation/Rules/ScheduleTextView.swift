import Scheduling
import Time

/// Renders a schedule's meaning and due times as text.
package struct ScheduleTextView: Sendable {
    private let style: TextStyle

    package init(style: TextStyle) {
        self.style = style
    }

    package func render(_ schedule: ScheduleExplanation) -> String {
        let meaning = columns(schedule.wording.map { [$0.part, $0.meaning] })
        let zone = schedule.occurrences.zone.name
        let title = "next \(schedule.count) after \(schedule.from.utcText) in \(zone)"
        let moments = schedule.moments
        let rows = columns(
            [["slot", "due", "UTC", ""]] + moments.map { cells(for: $0, in: schedule.occurrences) }
        )
        let table =
            moments.isEmpty
            ? ["  no more"]
            : [style.paint(rows[0], in: .faint)] + rows.dropFirst()
        let lines = meaning + ["", style.paint(title, in: .strong)] + table
        return style.folded(lines.joined(separator: "\n") + "\n")
    }

    private func cells(for moment: SlotMoment, in occurrences: Occurrences) -> [String] {
        let offset = occurrences.zone.offset(at: moment.moment)
        let local = occurrences.zone.localTime(at: moment.moment)
        return [
            moment.slot.description, "\(local) \(offset.text)", moment.moment.utcText,
            moment.noteWording ?? "",
        ]
    }

    /// Aligns cells in columns, indented by two spaces, without trailing spaces.
    private func columns(_ rows: [[String]]) -> [String] {
        let widths = (rows.first ?? []).indices.map { column in
            rows.map { $0[column].count }.max() ?? 0
        }
        return rows.map { row in
            let cells = zip(row, widths).map { cell, width in
                cell + String(repeating: " ", count: width - cell.count)
            }
            let line = "  " + cells.joined(separator: "  ")
            return String(line.reversed().drop { $0 == " " }.reversed())
        }
    }
}

extension UTCOffset {
    /// For example, `+02:00 CEST`.
    ///
    /// Only the offset if the zone has no alphabetic abbreviation.
    fileprivate var text: String {
        let size = abs(seconds)
        let parts = [size / 3600, size / 60 % 60] + (size % 60 == 0 ? [] : [size % 60])
        let digits = parts.map { $0 < 10 ? "0\($0)" : String($0) }.joined(separator: ":")
        let offset = (seconds < 0 ? "-" : "+") + digits
        return abbreviation.first?.isLetter == true ? "\(offset) \(abbreviation)" : offset
    }
}
