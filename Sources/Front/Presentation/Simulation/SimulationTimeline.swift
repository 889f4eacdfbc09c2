import DeliveryModel
import HTML
import Simulation

/// A strip per campaign, over all simulated hours.
struct SimulationTimeline {
    private let story: SimulationDescription
    /// Number of hours per piece of a strip, chosen so that a strip fits on a phone.
    let hours: Int

    /// Maximum number of pieces: 8 days of hours.
    private static let most = 192

    init(_ story: SimulationDescription) {
        self.story = story
        let count = story.result.campaigns.first?.hours.count ?? 0
        hours = [1, 2, 3, 4, 6, 8, 12].first { count <= $0 * Self.most } ?? 24
    }

    /// The timeline; it is hidden from assistive technology because the campaigns' cards have the
    /// numbers.
    var node: HTMLNode {
        HTMLNode(.div, .class("timeline"), .hidden) {
            axis
            story.result.campaigns.map { campaign in
                HTMLNode(.div, .class("line")) {
                    HTMLNode(.div, .class("name")) { HTMLNode(.bdi, text: campaign.campaign) }
                    strip(campaign.hours)
                }
            }
        }
    }

    private func strip(_ counts: [Int]) -> HTMLNode {
        let sums = stride(from: 0, to: counts.count, by: hours).map { first in
            counts[first..<min(first + hours, counts.count)].reduce(0, +)
        }
        let most = sums.max() ?? 0
        let midnight = story.hoursBeforeMidnight
        return HTMLNode(.div, .class("strip")) {
            sums.enumerated().map { number, sum in
                let level = Self.level(sum, of: most)
                // The square in which a day begins.
                let first = number * hours
                let begins = (first..<first + hours).contains { hour in
                    hour >= midnight && (hour - midnight).isMultiple(of: 24)
                }
                return HTMLNode(.span, .class(begins ? "\(level) day" : level), text: "")
            }
        }
    }

    /// The axis, with labels for at most eight days, each as wide as its hours.
    private var axis: HTMLNode {
        let count = story.result.campaigns.first?.hours.count ?? 0
        let pieces = (count + hours - 1) / hours
        let days = (count + 23) / 24
        let step = max(1, (days + 7) / 8)
        let midnight = story.hoursBeforeMidnight
        return HTMLNode(.div, .class("line")) {
            HTMLNode(.div, .class("name"), text: "")
            HTMLNode(.div, .class("strip axis")) {
                (0..<pieces).map { piece in
                    let first = piece * hours
                    let start = (first..<first + hours).first { hour in
                        hour >= midnight && (hour - midnight).isMultiple(of: 24 * step)
                    }
                    // A label near the end has no room.
                    let moment =
                        piece * 12 < pieces * 11 ? start.map { story.moment(ofHour: $0) } : nil
                    return HTMLNode(.span) {
                        if let moment { HTMLNode(.span, .class("tick"), text: story.day(moment)) }
                    }
                }
            }
        }
    }

    /// Returns the CSS class of a shade.
    ///
    /// `level0` means none. Levels 1 to 5 each represent four times as many messages as the
    /// previous level.
    static func level(_ count: Int, of most: Int) -> String {
        guard count > 0 else { return "level0" }
        var level = 5
        var bound = most
        while level > 1, 4 * count <= bound {
            level -= 1
            bound /= 4
        }
        return "level\(level)"
    }
}
