import Presentation
import DeliveryModel
import HTML

/// The simulation result as an HTML page with a chart of every hour.
package struct SimulationHTMLView: Sendable {
    private let story: SimulationStory

    package init(_ story: SimulationStory) {
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
                if story.result.campaigns.isEmpty {
                    HTMLNode(.p, text: "Nothing is sent in these days.")
                } else {
                    timeline
                    HTMLNode(.div, .class("both")) { [all, pressure] }
                    assumptions
                    HTMLNode(.h2, text: "Campaign by campaign")
                    story.result.campaigns.map { SimulationCard($0, story).node }
                }
            }
        }.markup
    }

    private var timeline: HTMLNode {
        let timeline = SimulationTimeline(story)
        return HTMLNode(.section) {
            HTMLNode(.h2, .id("hours"), text: "What is delivered when")
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
                text: "A square is \(hours == 1 ? "an hour" : "\(hours) hours"). Each shade is "
                    + "for four times as many messages as the one before; the strongest is that "
                    + "of the campaign's busiest."
            )
        }
    }

    private var all: HTMLNode {
        HTMLNode(.section) {
            HTMLNode(.h2, text: "What becomes of all messages")
            HTMLNode(.div, .class("card")) { SimulationCard.outcomes(story.result.outcomes) }
        }
    }

    private var pressure: HTMLNode {
        let size = story.result.population.size
        return HTMLNode(.section) {
            HTMLNode(.h2, text: "How much a device gets")
            HTMLNode(.div, .class("card")) {
                HTMLNode(.p, text: story.pressure.first ?? "")
                HTMLNode(.table, .class("outcomes")) {
                    HTMLNode(.tbody) {
                        story.classes.filter { $0.count > 0 }.map { name, count in
                            HTMLNode(.tr) {
                                HTMLNode(.td, text: SimulationWords.share(count, of: size))
                                HTMLNode(.td, text: count.grouped)
                                HTMLNode(.th, .scope(.row), text: "get \(name)")
                            }
                        }
                    }
                }
            }
        }
    }

    private var assumptions: HTMLNode? {
        guard !story.assumptions.isEmpty else { return nil }
        return HTMLNode(.section) {
            HTMLNode(.h2, text: "Taken for granted")
            HTMLNode(.ul, .class("notes")) {
                story.assumptions.map { HTMLNode(.li, text: $0) }
            }
        }
    }
}
