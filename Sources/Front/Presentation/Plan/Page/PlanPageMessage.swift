import CampaignModel
import HTML
import Time

/// Renders a message: phones, delivery per platform, and the remaining fields.
struct PlanPageMessage {
    let message: MessageDescription
    let entry: PlanEntry
    let head: PlanDescription.Head

    var node: HTMLNode {
        HTMLNode(.div, .class("message")) {
            HTMLNode(.h4, text: "Message")
            if message.isOwnSent {
                if !message.others.isEmpty { heading(ownText, message.ownCount) }
                phones(message.platforms)
            }
            message.others.flatMap { text in
                [heading(text.name, text.count), phones(text.platforms)]
            }
            if let renewal = message.renewal {
                HTMLNode(.p, .class("quiet")) { HTMLNode.advice(renewal) }
            }
            if let replacement = message.replacement {
                HTMLNode(.p, .class("quiet")) {
                    "\(replacement.wording): key "
                    HTMLNode(.code, text: replacement.key)
                }
            }
            fields
        }
    }

    private var ownText: String {
        let isUsed = message.ownCount.map { $0 > 0 } ?? false
        return "The campaign's own text" + (isUsed ? ", for locales without an entry" : "")
    }

    /// Whether to draw phones: at least one platform displays the message.
    private var isDrawn: Bool {
        (message.platforms + message.others.flatMap(\.platforms))
            .contains(where: \.showsSomething)
    }

    /// The heading of one of several texts of a campaign.
    private func heading(_ name: String, _ count: Int?) -> HTMLNode {
        HTMLNode(.p) {
            HTMLNode(.strong, text: name)
            count.map { ": \($0.counting("registration"))" } ?? ""
        }
    }

    private func phones(_ platforms: [PlatformDescription]) -> HTMLNode {
        HTMLNode(.div, .class("phones")) {
            platforms.map { platform in
                PlanPagePhone(
                    story: platform,
                    app: head.project,
                    clock: clock,
                    isDrawn: isDrawn
                ).node
            }
        }
    }

    /// The expected arrival time, shown on the phone's clock.
    private var clock: String {
        let moment = entry.headlines.compactMap(\.moment).first ?? head.now
        return String((moment.wallClock?.time.description ?? moment.local).prefix(5))
    }

    /// The fields that no phone displays.
    private var fields: HTMLNode? {
        guard !rows.isEmpty else { return nil }
        let name = isDrawn ? "Other fields of the message" : "Fields for the app"
        return .element(
            .details,
            isDrawn ? [] : [.open],
            [
                HTMLNode(.summary, text: name),
                HTMLNode(.div, .class("scrolling"), .scrollable, .group, .label(name)) { table },
            ]
        )
    }

    private var table: HTMLNode {
        HTMLNode(.table) {
            HTMLNode(.thead) {
                HTMLNode(.tr) {
                    ["Platform", "Field", "Value"].map {
                        HTMLNode(.th, .scope(.column), text: $0)
                    }
                }
            }
            HTMLNode(.tbody) { rows }
        }
    }

    /// The fields of the campaign's own text, then those that other texts have instead.
    private var rows: [HTMLNode] {
        let own = Set(message.platforms.flatMap(\.fields))
        return message.platforms.flatMap { rows($0) }
            + message.others.flatMap { text in
                text.platforms.flatMap { rows($0, in: text.name, besides: own) }
            }
    }

    private func rows(
        _ story: PlatformDescription,
        in name: String? = nil,
        besides told: Set<PlatformDescription.Field> = []
    ) -> [HTMLNode] {
        let owner = story.platform.displayName + (name.map { ", \($0)" } ?? "")
        return story.fields.filter { !told.contains($0) }.map { field in
            HTMLNode(.tr) {
                HTMLNode(.td, text: owner)
                HTMLNode(.th, .scope(.row)) { HTMLNode(.code, text: field.path) }
                HTMLNode(.td, .class("value"), .ownDirection, text: field.value)
            }
        }
    }
}
