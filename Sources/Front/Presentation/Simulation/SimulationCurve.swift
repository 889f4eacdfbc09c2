import HTML
import Simulation
import Statistics

/// The share of a campaign's messages that is delivered, by the time since the due time.
///
/// The time is logarithmic: a fan-out takes seconds, and offline devices return after hours.
struct SimulationCurve {
    private let title: String
    /// The seconds since the due time, and the messages delivered until then.
    private let points: [(seconds: Int64, delivered: Int)]
    private let scale: LogarithmicScale
    private let messages: Int
    private let median: Int64?

    private static let width = 360.0
    private static let height = 170.0
    private static let left = 44.0
    private static let top = 10.0
    private static let bottom = 26.0
    /// Enough for the width on a screen.
    private static let maximumPoints = 180

    init(of campaign: CampaignOutcome) {
        title = campaign.campaign
        messages = campaign.outcomes.total
        median = campaign.delays.within(percent: 50).map { $0 / 1_000 }
        var sum = 0
        let all = campaign.delays.bySecond.map { seconds, count in
            sum += count
            return (seconds: seconds, delivered: sum)
        }
        let scale = LogarithmicScale(upTo: Double(all.last?.seconds ?? 0))
        // Of several points in a column of the picture, the last has the sum.
        var kept: [(seconds: Int64, delivered: Int)] = []
        var column = -1
        for point in all {
            let own = Int(scale.place(of: Double(point.seconds)) * Double(Self.maximumPoints))
            if own == column { kept.removeLast() }
            kept.append(point)
            column = own
        }
        points = kept
        self.scale = scale
    }

    static let explanation =
        "Each curve shows the share of messages delivered since the due time, on a logarithmic scale; "
        + "the dashed line is the median of the delivered ones."

    /// Nil if nothing is delivered, or everything at once.
    var node: HTMLNode? {
        guard let last = points.last, last.seconds > 0, messages > 0 else { return nil }
        return HTMLNode(.figure, .class("curve")) {
            HTMLNode(
                .svg,
                .picture,
                .viewBox(width: Int(Self.width), height: Int(Self.height)),
                .label(label(last))
            ) {
                grid
                HTMLNode(.polyline, .class("delivered"), .points(line), text: "")
                if let median { marker(median) }
                labels(last)
            }
        }
    }

    private func label(_ last: (seconds: Int64, delivered: Int)) -> String {
        "Deliveries of \(title) over time: "
            + "\(SimulationWording.share(last.delivered, of: messages)) after "
            + SimulationWording.length(last.seconds * 1_000)
    }

    /// Steps: nothing is delivered between two points.
    private var line: [(x: Double, y: Double)] {
        var line = [(x: x(0), y: y(0))]
        for point in points {
            line.append((x: x(point.seconds), y: line[line.count - 1].y))
            line.append((x: x(point.seconds), y: y(point.delivered)))
        }
        return line
    }

    private var grid: [HTMLNode] {
        [0, 50, 100].flatMap { percent -> [HTMLNode] in
            let height = y(messages * percent / 100)
            return [
                stroke("grid", from: (Self.left, height), to: (Self.width, height)),
                text("\(percent) %", x: 2, y: height + 4),
            ]
        }
    }

    private func marker(_ seconds: Int64) -> HTMLNode {
        stroke("median", from: (x(seconds), y(0)), to: (x(seconds), y(messages)))
    }

    /// Labels of times that do not overlap, first the ends of the axis.
    private func labels(_ last: (seconds: Int64, delivered: Int)) -> [HTMLNode] {
        let end = "+" + SimulationWording.length(last.seconds * 1_000)
        var taken = [
            Self.left...Self.left + Self.length("due"), Self.width - Self.length(end)...Self.width,
        ]
        var labels: [HTMLNode] = []
        for (name, seconds) in [
            ("1 s", Int64(1)), ("1 min", 60), ("1 h", 3_600), ("1 day", 86_400),
        ] {
            let half = Self.length(name) / 2
            let place = x(seconds) - half...x(seconds) + half
            guard seconds < last.seconds, !taken.contains(where: place.overlaps) else { continue }
            taken.append(place)
            labels.append(time(name, at: x(seconds), .anchor(.middle)))
        }
        return [text("due", x: Self.left, y: Self.height - 6)] + labels
            + [time(end, at: Self.width, .anchor(.end))]
    }

    /// The approximate length of a label, with the space around it.
    private static func length(_ label: String) -> Double { 6.5 * Double(label.count) + 8 }

    private func time(_ text: String, at x: Double, _ anchor: HTMLAttribute) -> HTMLNode {
        HTMLNode(.svgText, .place(.x, x), .place(.y, Self.height - 6), anchor, text: text)
    }

    private func stroke(
        _ name: String,
        from start: (Double, Double),
        to end: (Double, Double)
    ) -> HTMLNode {
        HTMLNode(
            .line,
            .class(name),
            .place(.startX, start.0),
            .place(.startY, start.1),
            .place(.endX, end.0),
            .place(.endY, end.1),
            text: ""
        )
    }

    private func text(_ text: String, x: Double, y: Double) -> HTMLNode {
        HTMLNode(.svgText, .place(.x, x), .place(.y, y), text: text)
    }

    private func x(_ seconds: Int64) -> Double {
        Self.left + scale.place(of: Double(seconds)) * (Self.width - Self.left - 4)
    }

    private func y(_ delivered: Int) -> Double {
        let share = Double(delivered) / Double(messages)
        return Self.height - Self.bottom - share * (Self.height - Self.top - Self.bottom)
    }
}
