import HTML
import Simulation

/// The number of devices by the messages that they receive: one bar per number.
struct SimulationLoadChart {
    private let story: SimulationDescription

    private static let width = 480.0
    private static let height = 180.0
    private static let top = 8.0
    private static let bottom = 22.0

    init(_ story: SimulationDescription) {
        self.story = story
    }

    /// The numbers of devices up to the highest number of messages.
    private var counts: [Int] {
        let devices = story.result.pressure.devices
        return Array(devices[...(devices.lastIndex { $0 > 0 } ?? 0)])
    }

    /// Hidden from assistive technology, because the table next to it has the numbers.
    var node: HTMLNode {
        let counts = counts
        let most = Double(max(1, counts.max() ?? 1))
        let step = Self.width / Double(counts.count)
        // A narrow bar has no room for each label.
        let every = max(1, Int((22 / step).rounded(.up)))
        return HTMLNode(.figure, .class("load"), .hidden) {
            HTMLNode(.svg, .viewBox(width: Int(Self.width), height: Int(Self.height))) {
                counts.enumerated().flatMap { messages, count -> [HTMLNode] in
                    let room = Self.height - Self.top - Self.bottom
                    let height = count > 0 ? max(1, Double(count) / most * room) : 0
                    let left = Double(messages) * step
                    let bar = HTMLNode(
                        .rect,
                        .class("bar-of-load"),
                        .place(.x, left + step * 0.08),
                        .place(.y, Self.height - Self.bottom - height),
                        .place(.width, step * 0.84),
                        .place(.height, height),
                        text: ""
                    )
                    guard messages.isMultiple(of: every) else { return [bar] }
                    let name = messages == 50 ? "50+" : "\(messages)"
                    return [bar, label(name, at: left + step / 2)]
                }
            }
            HTMLNode(.figcaption, .class("note"), text: "Devices by number of messages")
        }
    }

    private func label(_ text: String, at middle: Double) -> HTMLNode {
        HTMLNode(
            .svgText,
            .place(.x, middle),
            .place(.y, Self.height - 6),
            .anchor(.middle),
            text: text
        )
    }
}
