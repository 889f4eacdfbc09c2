import CampaignModel
import HTML

/// Draws a platform's notification approximately as the platform does.
///
/// Follows the documentation of the systems: Android folds a body to one line, iOS to four, Chrome
/// to four (Android documentation, Create an expandable notification; Apple Human Interface
/// Guidelines, Notifications; Chrome for Developers, Notifications).
struct PlanPagePhone {
    let story: PlatformDescription
    /// The text in place of the app's name.
    let app: String
    /// For example, `07:30`.
    let clock: String
    /// Whether to draw a phone.
    ///
    /// A data-only platform is drawn if another platform displays the message.
    let isDrawn: Bool

    var node: HTMLNode {
        HTMLNode(.figure, .class("phone", story.platform.rawValue)) {
            HTMLNode(.figcaption) {
                HTMLNode(.strong, text: story.platform.phoneName)
                " "
                story.kind
            }
            if isDrawn { screen }
            if story.getsSomething { delivery }
        }
    }

    private var screen: HTMLNode {
        HTMLNode(.div, .class("screen")) {
            HTMLNode(.div, .class("clock"), .hidden, text: clock)
            if story.showsSomething {
                card(isFolded: true)
                if isLonger { unfolded }
            } else {
                HTMLNode(.p, .class("nothing"), text: silence)
            }
        }
    }

    private var delivery: HTMLNode {
        HTMLNode(.ul, .class("delivery")) {
            [story.life, story.priority, story.replaces].compactMap(\.self).map {
                HTMLNode(.li, .ownDirection, text: $0)
            }
        }
    }

    private var silence: String {
        story.getsSomething ? "Shows nothing: the app receives it" : "Receives nothing"
    }

    private var unfolded: HTMLNode {
        HTMLNode(.details) {
            HTMLNode(.summary, text: "Expanded")
            card(isFolded: false)
        }
    }

    private func card(isFolded: Bool) -> HTMLNode {
        HTMLNode(.div, .class("card", isFolded ? "folded" : "unfolded")) {
            HTMLNode(.div, .class("app")) {
                HTMLNode(.span, .class("icon"), .hidden, text: app.prefix(1).uppercased())
                HTMLNode(.bdi, text: app)
                HTMLNode(.span, .class("now"), text: "now")
            }
            if isFolded, let image = story.image { placeholder(image, isFolded: isFolded) }
            if let title = story.title {
                HTMLNode(.p, .class("title"), .ownDirection, text: title)
            }
            if let body = story.body {
                HTMLNode(.p, .class("body"), .ownDirection, text: body)
            }
            if !isFolded, let image = story.image { placeholder(image, isFolded: isFolded) }
        }
    }

    /// A placeholder for an image.
    ///
    /// Loading the image would reveal to its server that the plan is being read.
    private func placeholder(_ address: String, isFolded: Bool) -> HTMLNode {
        HTMLNode(.div, .class("image")) {
            HTMLNode(.strong, text: "Image")
            if !isFolded {
                " not loaded: "
                HTMLNode(.bdi, text: address)
            }
        }
    }

    /// Whether unfolding shows more.
    private var isLonger: Bool {
        story.image != nil || (story.body ?? "").contains("\n")
            || (story.body ?? "").count > story.platform.foldedLength
            || (story.title ?? "").count > 36
    }
}

extension Platform {
    fileprivate var phoneName: String {
        switch self {
        case .android: "Android"
        case .apple: "iOS"
        case .web: "Chrome"
        }
    }

    /// The approximate number of characters of a folded body.
    fileprivate var foldedLength: Int {
        switch self {
        case .android: 38
        case .apple: 150
        case .web: 150
        }
    }
}
