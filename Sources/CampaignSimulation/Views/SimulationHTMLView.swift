import CampaignReporting
import FCMDelivery
import HTML

/// What became of a plan in a population, as a page with a picture of every hour.
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
                assumptions
                HTMLNode(.h2, .id("hours"), text: "Deliveries, hour by hour")
                legend
                story.result.campaigns.map(campaign)
                HTMLNode(.h2, text: "How much a device gets")
                pressure
            }
        }.markup
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

    private var legend: HTMLNode {
        HTMLNode(
            .p,
            .class("quiet"),
            text: "A row is a day, a square an hour of it; the darker, the more of the campaign's "
                + "messages were delivered in it."
        )
    }

    private func campaign(_ campaign: CampaignOutcome) -> HTMLNode {
        HTMLNode(.article, .class("campaign")) {
            HTMLNode(.h3) { HTMLNode(.bdi, text: campaign.campaign) }
            HTMLNode(.p, .class("quiet"), text: story.sends(campaign))
            HTMLNode(.div, .class("both")) {
                picture(campaign)
                HTMLNode(.div) {
                    outcomes(campaign)
                    notes(campaign).map { HTMLNode(.p, text: $0) }
                }
            }
        }
    }

    private func notes(_ campaign: CampaignOutcome) -> [String] {
        (story.delays(campaign).map { [$0] } ?? []) + story.spreading(campaign)
    }

    private func picture(_ campaign: CampaignOutcome) -> HTMLNode {
        let most = campaign.hours.max() ?? 0
        return HTMLNode(.table, .class("hours")) {
            HTMLNode(.caption, text: "At most \(most.counting("message")) in an hour")
            HTMLNode(.tbody) {
                stride(from: 0, to: campaign.hours.count, by: 24).map { first in
                    row(campaign.hours[first..<min(first + 24, campaign.hours.count)], first, most)
                }
            }
        }
    }

    private func row(_ hours: ArraySlice<Int>, _ first: Int, _ most: Int) -> HTMLNode {
        let start = DeliveryMoment(
            milliseconds: story.result.start.milliseconds + Int64(first) * 3_600_000
        )
        return HTMLNode(.tr) {
            HTMLNode(.th, .scope(.row), text: story.local(start))
            hours.map { count in
                HTMLNode(.td, .class("level\(level(count, most))")) {
                    HTMLNode(.span, text: count.grouped)
                }
            }
        }
    }

    /// 0 for none, then 1 to 5 by the part of the busiest hour.
    private func level(_ count: Int, _ most: Int) -> Int {
        count == 0 ? 0 : 1 + min(4, count * 5 / max(1, most))
    }

    private func outcomes(_ campaign: CampaignOutcome) -> HTMLNode {
        let total = campaign.outcomes.total
        return HTMLNode(.table, .class("outcomes")) {
            HTMLNode(.tbody) {
                MessageOutcome.allCases.filter { campaign.outcomes[$0] > 0 }.map { outcome in
                    let count = campaign.outcomes[outcome]
                    return HTMLNode(.tr) {
                        HTMLNode(.td, text: SimulationWords.share(count, of: total))
                        HTMLNode(.td, text: count.grouped)
                        HTMLNode(.th, .scope(.row), text: outcome.meaning)
                    }
                }
            }
        }
    }

    private var pressure: HTMLNode {
        let size = story.result.population.size
        return HTMLNode(.section) {
            HTMLNode(.p, text: story.pressure.first ?? "")
            HTMLNode(.table, .class("outcomes")) {
                HTMLNode(.tbody) {
                    story.classes.map { name, count in
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
