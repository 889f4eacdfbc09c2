import HTML
import Time

/// Renders the next days as a chart, and all due times as a table.
struct PlanPageTimeline {
    let timeline: PlanTimeline
    let now: MomentDescription
    let mood: PlanMood

    var node: HTMLNode? {
        guard !timeline.sendings.isEmpty else { return nil }
        return HTMLNode(.section, .labelled(by: "timeline")) {
            HTMLNode(.h2, .id("timeline"), text: title)
            HTMLNode(.ol, .class("days")) { days.map(cell) }
            if timeline.more > 0 {
                HTMLNode(
                    .p,
                    .class("quiet"),
                    text: "And \(timeline.more.grouped) more, which are not shown."
                )
            }
            table
        }
    }

    private var title: String {
        let days = "The next \(PlanTimeline.days) days"
        return switch mood {
        case .indicative: days
        case .conditional: days + " without the refusal"
        }
    }

    private struct Day {
        let date: CivilDate
        var planned = 0
        var others = 0
    }

    /// The due times grouped by local date.
    private var days: [Day] {
        guard let first = now.wallClock?.date else { return [] }
        var days = (0...PlanTimeline.days).map {
            Day(date: CivilDate(daysSince1970: first.daysSince1970 + $0))
        }
        for sending in timeline.sendings {
            guard let date = sending.moment.wallClock?.date else { continue }
            let index = min(max(date.daysSince1970 - first.daysSince1970, 0), days.count - 1)
            if sending.isPlanned { days[index].planned += 1 } else { days[index].others += 1 }
        }
        return days
    }

    private func cell(_ day: Day) -> HTMLNode {
        let count = day.planned + day.others
        return HTMLNode(.li, .class(count > 0 ? "busy" : "free")) {
            HTMLNode(.time, .moment(day.date.description)) {
                HTMLNode(.span, .class("weekday"), text: day.date.weekday.shortName)
                " "
                day.date.shortText
            }
            HTMLNode(.span, .class("dots"), .hidden) {
                HTMLNode(.span, .class("planned"), text: dots("●", count: day.planned))
                dots("○", count: day.others)
            }
            HTMLNode(.span, .class("sends"), text: count > 0 ? count.counting("send") : "–")
        }
    }

    private func dots(_ dot: String, count: Int) -> String {
        String(repeating: dot, count: min(count, 8))
    }

    private var table: HTMLNode {
        HTMLNode(.details) {
            HTMLNode(.summary, text: "All due times")
            HTMLNode(.div, .class("scrolling")) {
                HTMLNode(.table) {
                    HTMLNode(.thead) {
                        HTMLNode(.tr) {
                            ["Campaign", "Due", "From now", "In this plan"].map {
                                HTMLNode(.th, .scope(.column), text: $0)
                            }
                        }
                    }
                    HTMLNode(.tbody) { timeline.sendings.map(row) }
                }
            }
        }
    }

    private func row(_ sending: PlanTimeline.Sending) -> HTMLNode {
        HTMLNode(.tr) {
            HTMLNode(.th, .scope(.row)) { HTMLNode(.bdi, text: sending.campaign) }
            HTMLNode(.td) { PlanPageMoment(moment: sending.moment).absolute }
            HTMLNode(.td, text: sending.moment.distance)
            HTMLNode(.td, text: sending.isPlanned ? "● yes" : "○ unchanged")
        }
    }
}
