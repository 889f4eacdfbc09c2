import HTML
import Time

/// A moment: where people are, in UTC, and from now.
struct PlanPageMoment {
    let moment: MomentStory

    /// With what is odd about it.
    var nodes: [HTMLNode] {
        var nodes = [absolute, .text(", "), HTMLNode(.strong, text: moment.distance)]
        if let note = moment.note { nodes += [.text(". "), HTMLNode(.em, text: note)] }
        return nodes
    }

    /// Local and UTC.
    var absolute: HTMLNode {
        HTMLNode(.time, .moment(moment.utc)) {
            "\(moment.weekday) "
            HTMLNode(.span, .class("stamp"), text: moment.local)
            " \(moment.zone) "
            HTMLNode(.span, .class("stamp", "quiet"), text: "(\(moment.utc))")
        }
    }
}

extension MomentStory {
    /// What clocks on the wall show.
    var wallClock: CivilDateTime? { CivilDateTime(parsing: local) }

    /// As in `Friday 2037-03-20 07:30, in 3 h`.
    var shortText: String { "\(weekday) \(local), \(distance)" }
}
