import HTML
import Time

/// Renders a time as local time, as UTC and relative to now.
struct PlanPageMoment {
    let moment: MomentDescription

    /// The full text, including a note about clock changes.
    var nodes: [HTMLNode] {
        var nodes = [absolute, .text(", "), HTMLNode(.strong, text: moment.distance)]
        if let note = moment.note { nodes += [.text(". "), HTMLNode(.em, text: note)] }
        return nodes
    }

    /// Local time and UTC.
    var absolute: HTMLNode {
        HTMLNode(.time, .moment(moment.utc)) {
            "\(moment.weekday) "
            HTMLNode(.span, .class("stamp"), text: moment.local)
            " \(moment.zone) "
            HTMLNode(.span, .class("stamp", "quiet"), text: "(\(moment.utc))")
        }
    }
}

extension MomentDescription {
    /// The local time as a value.
    var wallClock: CivilDateTime? { CivilDateTime(parsing: local) }

    /// For example, `Friday 2037-03-20 07:30, in 3 h`.
    var shortText: String { "\(weekday) \(local), \(distance)" }
}
