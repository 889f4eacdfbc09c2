import DeliveryModel
import HTML

/// All campaigns over all hours that are played, a strip each.
struct SimulationTimeline {
    private let story: SimulationStory
    /// A piece of a strip is so many hours, so that a phone still shows all of them.
    let hours: Int

    /// What a strip has at most: a week of hours, or a day more.
    private static let most = 192

    init(_ story: SimulationStory) {
        self.story = story
        let count = story.result.campaigns.first?.hours.count ?? 0
        hours = [1, 2, 3, 4, 6, 8, 12].first { count <= $0 * Self.most } ?? 24
    }

    /// The campaigns' cards say it in numbers.
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
        let day = 24 / hours
        return HTMLNode(.div, .class("strip")) {
            sums.enumerated().map { number, sum in
                let level = Self.level(sum, most)
                let begins = number > 0 && number.isMultiple(of: day)
                return HTMLNode(.span, .class(begins ? "\(level) day" : level), text: "")
            }
        }
    }

    /// At most eight days have their names, so that there is room for them.
    private var axis: HTMLNode {
        let count = story.result.campaigns.first?.hours.count ?? 0
        let days = (count + 23) / 24
        let step = (days + 7) / 8
        return HTMLNode(.div, .class("line")) {
            HTMLNode(.div, .class("name"), text: "")
            HTMLNode(.div, .class("strip axis")) {
                (0..<days).map { day in
                    let start = story.result.start.milliseconds + Int64(day) * 86_400_000
                    let name = story.day(DeliveryMoment(milliseconds: start))
                    let isNamed = day.isMultiple(of: max(1, step))
                    return HTMLNode(.span, text: isNamed ? name : "")
                }
            }
        }
    }

    /// The class of a shade: none, or 1 to 5, each for four times as many as the one before.
    static func level(_ count: Int, _ most: Int) -> String {
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
