import Applying
import CampaignModel
import Time

/// Renders a calendar as text: a line per day, audience and send.
package struct CalendarTextView {
    private let style: TextStyle

    /// Longer names of campaigns move the rest of their lines.
    private static let longestName = 28
    private static let indent = "    "

    package init(style: TextStyle) {
        self.style = style
    }

    package func render(_ calendar: CalendarDescription) -> String {
        let days = calendar.scope.days
        var text = folded(style.paint(calendar.title, in: .strong))
        text += folded(
            "\(days.lowerBound) to \(days.upperBound); days and times in \(calendar.scope.zone.name)"
        )
        if calendar.days.isEmpty { text += "\n" + folded(CalendarDescription.nothing) }
        let columns = Columns(of: calendar)
        for day in calendar.days {
            let mark = day.date == calendar.today ? ", today" : ""
            let title = "\(day.date.weekday.shortName) \(day.date)\(mark)"
            text += "\n" + folded(style.paint(title, in: .strong))
            for audience in day.audiences {
                text += folded("  " + TextStyle.safe(audience.audience.wording))
                for row in audience.rows { text += line(row, in: columns) }
            }
        }
        if !calendar.notes.isEmpty { text += "\n" }
        for note in calendar.notes { text += folded(note) }
        return text
    }

    private struct Columns {
        let time: Int
        let name: Int

        init(of calendar: CalendarDescription) {
            let rows = calendar.days.flatMap(\.audiences).flatMap(\.rows)
            time = rows.map(\.time.count).max() ?? 0
            name = min(
                rows.map(\.first.id.campaign.rawValue.count).max() ?? 0,
                CalendarTextView.longestName
            )
        }

        /// The columns before the state.
        var width: Int { time + 2 + name + 2 }
    }

    private func line(_ row: CalendarRow, in columns: Columns) -> String {
        let name = TextStyle.safe(row.first.id.campaign.rawValue).padded(to: columns.name)
        let state = style.paint(TextStyle.safe(row.wording), in: row.first.state.tone)
        let text = Self.indent + row.time.padded(to: columns.time) + "  \(name)  \(state)"
        return folded(text, hanging: columns.width)
    }

    /// Without columns, such as in a file, each line stays in one piece.
    private func folded(_ text: String, hanging: Int = 4) -> String {
        let lines = style.width.records.map { columns in
            FoldedText(columns: columns, hanging: hanging).lines(of: text)
        }
        return (lines ?? text) + "\n"
    }
}

extension CalendarEntry.State {
    fileprivate var tone: TextStyle.Tone {
        switch self {
        case .sent: .good
        case .stopped, .held: .bad
        case .paused, .deferred, .expired: .attention
        case .cancelled: .faint
        case .inProgress, .scheduled: .plain
        }
    }
}
