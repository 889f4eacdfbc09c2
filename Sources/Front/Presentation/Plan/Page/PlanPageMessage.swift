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
            phones
            if let replacement = message.replacement {
                HTMLNode(.p, .class("quiet")) {
                    "\(replacement.wording): key "
                    HTMLNode(.code, text: replacement.key)
                }
            }
            fields
        }
    }

    /// Whether to draw phones: at least one platform displays the message.
    private var isDrawn: Bool { message.platforms.contains(where: \.showsSomething) }

    private var phones: HTMLNode {
        HTMLNode(.div, .class("phones")) {
            message.platforms.map { platform in
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
        guard message.platforms.contains(where: { !$0.fields.isEmpty }) else { return nil }
        let name = isDrawn ? "Other fields of the message" : "Fields for the app"
        return .element(
            .details,
            isDrawn ? [] : [.open],
            [HTMLNode(.summary, text: name), HTMLNode(.div, .class("scrolling")) { table }]
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
            HTMLNode(.tbody) { message.platforms.flatMap(rows) }
        }
    }

    private func rows(_ story: PlatformDescription) -> [HTMLNode] {
        story.fields.map { field in
            HTMLNode(.tr) {
                HTMLNode(.td, text: story.platform.displayName)
                HTMLNode(.th, .scope(.row)) { HTMLNode(.code, text: field.path) }
                HTMLNode(.td, .class("value"), .ownDirection, text: field.value)
            }
        }
    }
}
