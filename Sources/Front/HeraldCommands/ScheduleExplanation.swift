import JSON
import Presentation
import Scheduling
import Time

/// Explains a schedule and its next due times, as text and as JSON.
struct ScheduleExplanation {
    let words: [RuleWording]
    let occurrences: Occurrences
    let from: Instant
    let count: Int

    private var moments: [SlotMoment] { occurrences.next(after: from, count: count) }

    /// An array of objects with `slot` (local), `moment` (UTC) and `note`, which is null,
    /// `moved_forward` or `first_of_two`.
    var json: JSONValue {
        .array(
            moments.map { moment in
                .object([
                    "slot": .string(moment.slot.description),
                    "moment": .string(moment.moment.utcText),
                    "note": moment.note.key.map { .string($0) } ?? .null,
                ])
            }
        )
    }

    func text(_ style: TextStyle) -> String {
        let meaning = columns(words.map { [$0.part, $0.meaning] })
        let title = "next \(count) after \(from.utcText) in \(occurrences.zone.name)"
        let moments = self.moments
        let rows = columns(
            [["slot", "due", "UTC", ""]] + moments.map(cells)
        )
        let table =
            moments.isEmpty
            ? ["  no more"]
            : [style.paint(rows[0], .faint)] + rows.dropFirst()
        return (meaning + ["", style.paint(title, .strong)] + table).joined(separator: "\n") + "\n"
    }

    private func cells(_ moment: SlotMoment) -> [String] {
        let offset = occurrences.zone.offset(at: moment.moment)
        let local = occurrences.zone.localTime(at: moment.moment)
        return [
            moment.slot.description, "\(local) \(offset.text)", moment.moment.utcText,
            moment.noteWords ?? "",
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

extension SlotMoment.Note {
    fileprivate var key: String? {
        switch self {
        case .none: nil
        case .movedForward: "moved_forward"
        case .firstOfTwo: "first_of_two"
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
