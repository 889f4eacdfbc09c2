import DeliveryModel
import HTML
import Simulation

/// The simulation result as an HTML page with a chart of every hour.
package struct SimulationHTMLView: Sendable {
    private let story: SimulationDescription

    package init(_ story: SimulationDescription) {
        self.story = story
    }

    package func render() -> String {
        HTMLDocument(title: "Herald simulation", styles: [SimulationPageStyle.sheet]) {
            HTMLNode(.header) {
                HTMLNode(.h1, text: "Simulation")
                HTMLNode(.p, text: story.headline)
                HTMLNode(.p, .class("quiet"), text: story.devices)
            }
            HTMLNode(.main) {
                assumptions
                comparison
                if story.result.campaigns.isEmpty {
                    HTMLNode(.p, text: "Nothing is sent in this period.")
                } else {
                    timeline
                    HTMLNode(.div, .class("both")) { [all, pressure] }
                    HTMLNode(.h2, text: "Campaigns")
                    HTMLNode(.p, .class("note"), text: SimulationCurve.explanation)
                    HTMLNode(.div, .class("campaigns")) {
                        story.result.campaigns.map { SimulationCard(of: $0, in: story).node }
                    }
                }
            }
        }.markup
    }

    private var timeline: HTMLNode {
        let timeline = SimulationTimeline(story)
        return HTMLNode(.section) {
            HTMLNode(.h2, .id("hours"), text: "Deliveries over time")
            HTMLNode(.div, .class("card")) {
                timeline.node
                legend(timeline.hours)
            }
        }
    }

    private func legend(_ hours: Int) -> HTMLNode {
        HTMLNode(.p, .class("legend quiet")) {
            HTMLNode(.span, .class("scale"), .hidden) {
                (0...5).map { HTMLNode(.span, .class("level\($0)"), text: "") }
            }
            HTMLNode(
                .span,
                text: "Each square is \(hours == 1 ? "one hour" : "\(hours) hours"). Each shade "
                    + "means four times as many messages as the previous one. The strongest shade "
                    + "marks the campaign's busiest square."
            )
        }
    }

    private var all: HTMLNode {
        HTMLNode(.section) {
            HTMLNode(.h2, text: "Outcomes of all messages")
            HTMLNode(.div, .class("card")) { SimulationCard.outcomes(story.result.outcomes) }
        }
    }

    private var pressure: HTMLNode {
        let size = story.result.population.size
        return HTMLNode(.section) {
            HTMLNode(.h2, text: "Messages per device")
            HTMLNode(.div, .class("card")) {
                HTMLNode(.p, text: story.pressure.first ?? "")
                SimulationLoadChart(story).node
                HTMLNode(.table, .class("outcomes")) {
                    HTMLNode(.tbody) {
                        story.classes.filter { $0.count > 0 }.map { name, count in
                            HTMLNode(.tr) {
                                HTMLNode(.td, text: SimulationWording.share(count, of: size))
                                HTMLNode(.td, text: count.grouped)
                                HTMLNode(.th, .scope(.row), text: "get \(name)")
                            }
                        }
                    }
                }
            }
        }
    }

    /// The first thing to read, because all numbers depend on them.
    private var assumptions: HTMLNode {
        HTMLNode(.section, .labelled(by: "assumptions")) {
            HTMLNode(.h2, .id("assumptions"), text: "Assumptions")
            HTMLNode(.ul, .class("notes", "card")) {
                story.assumptions.map { assumption in
                    HTMLNode(.li) { HTMLNode.advice(assumption) }
                }
            }
        }
    }

    private var comparison: HTMLNode? {
        guard let comparison = story.comparison else { return nil }
        return HTMLNode(.section, .labelled(by: "comparison")) {
            HTMLNode(.h2, .id("comparison"), text: "Compared with what is applied")
            HTMLNode(.div, .class("card", "scrolling"), .scrollable, .group, .label("Comparison")) {
                HTMLNode(.table, .class("comparison")) {
                    HTMLNode(.thead) {
                        HTMLNode(.tr) {
                            ["Delivered messages", "Applied", "This plan", "Difference"].map {
                                HTMLNode(.th, .scope(.column), text: $0)
                            }
                        }
                    }
                    HTMLNode(.tbody) {
                        comparison.rows.map { row in
                            HTMLNode(.tr) {
                                HTMLNode(.th, .scope(.row)) {
                                    HTMLNode(.bdi, text: row.campaign)
                                }
                                HTMLNode(.td, text: row.before?.grouped ?? "–")
                                HTMLNode(.td, text: row.after?.grouped ?? "–")
                                HTMLNode(
                                    .td,
                                    text: SimulationComparison.signed(row.difference)
                                )
                            }
                        }
                        comparison.load.map { name, before, after in
                            HTMLNode(.tr) {
                                HTMLNode(.th, .scope(.row), text: name)
                                HTMLNode(.td, text: before)
                                HTMLNode(.td, text: after)
                                HTMLNode(.td, text: before == after ? "same" : "")
                            }
                        }
                    }
                }
                if comparison.unchanged > 0 {
                    HTMLNode(
                        .p,
                        .class("note"),
                        text:
                            "\(comparison.unchanged.counting("campaign")) with the same deliveries."
                    )
                }
            }
        }
    }
}
