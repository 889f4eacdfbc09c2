import DeliveryModel
import HTML
import Simulation

/// The hours and outcomes of one campaign.
struct SimulationCard {
    private let campaign: CampaignOutcome
    private let story: SimulationDescription

    init(of campaign: CampaignOutcome, in story: SimulationDescription) {
        self.campaign = campaign
        self.story = story
    }

    var node: HTMLNode {
        HTMLNode(.article, .class("card")) {
            HTMLNode(.h3) { HTMLNode(.bdi, text: campaign.campaign) }
            HTMLNode(.p, .class("quiet"), text: story.sends(campaign))
            HTMLNode(.div, .class("both")) {
                HTMLNode(.div) {
                    Self.outcomes(campaign.outcomes)
                    notes.map { HTMLNode(.p, .class("note"), text: $0) }
                }
                HTMLNode(.div) {
                    SimulationCurve(of: campaign).node
                    picture
                }
            }
        }
    }

    private var notes: [String] {
        story.arms(campaign) + (story.delays(campaign).map { [$0] } ?? [])
            + story.spreading(campaign)
    }

    // MARK: Outcomes

    /// Returns a bar and a table of the same numbers.
    static func outcomes(_ counts: OutcomeCounts) -> [HTMLNode] {
        let seen = MessageOutcome.allCases.filter { counts[$0] > 0 }
        let rows = seen.map { outcome in
            HTMLNode(.tr) {
                HTMLNode(.td) { HTMLNode(.span, .class("mark \(outcome.colour)"), .hidden) {} }
                HTMLNode(.td, text: SimulationWording.share(counts[outcome], of: counts.total))
                HTMLNode(.td, text: counts[outcome].grouped)
                HTMLNode(.th, .scope(.row), text: outcome.meaning)
            }
        }
        return [
            SimulationBar.node(seen.map { ($0.colour, counts[$0]) }),
            HTMLNode(.table, .class("outcomes")) { HTMLNode(.tbody) { rows } },
        ]
    }

    // MARK: Hours

    /// A table of the days with deliveries, by whole hours; nil if there are none.
    private var picture: HTMLNode? {
        let counts = campaign.hours
        let most = counts.max() ?? 0
        guard most > 0 else { return nil }
        // The first row begins at midnight, too.
        let lead = (24 - story.hoursBeforeMidnight) % 24
        let days = stride(from: -lead, to: counts.count, by: 24).filter { first in
            counts[max(0, first)..<min(first + 24, counts.count)].contains { $0 > 0 }
        }
        return HTMLNode(.div, .class("scrolling"), .scrollable, .group, .label(hoursLabel)) {
            HTMLNode(.table, .class("hours")) {
                HTMLNode(
                    .caption,
                    text: "At most \(most.counting("message")) per hour. Days without messages are "
                        + "omitted."
                )
                HTMLNode(.thead) { head }
                HTMLNode(.tbody) { days.map { row($0, most: most) } }
            }
        }
    }

    private var hoursLabel: String { "Deliveries of \(campaign.campaign) by hour" }

    private var head: HTMLNode {
        HTMLNode(.tr) {
            HTMLNode(.th, .scope(.column), text: "Day")
            ["00:00", "06:00", "12:00", "18:00"].map { hour in
                HTMLNode(.th, .scope(.column), .columns(6), text: hour)
            }
        }
    }

    /// `first`: the hour of midnight, which is negative if the simulation starts later.
    private func row(_ first: Int, most: Int) -> HTMLNode {
        HTMLNode(.tr) {
            HTMLNode(
                .th,
                .scope(.row),
                text: String(story.local(story.moment(ofHour: first)).prefix(10))
            )
            (first..<first + 24).map { hour in
                let count = campaign.hours.indices.contains(hour) ? campaign.hours[hour] : 0
                return HTMLNode(.td, .class(SimulationTimeline.level(count, of: most))) {
                    HTMLNode(.span, text: count.grouped)
                }
            }
        }
    }
}
