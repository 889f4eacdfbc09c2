import Experiments
import HTML
import State
import Statistics
import Time

/// The interval of one arm's difference over all recorded looks.
struct ResultChart {
    private struct Point {
        let time: Instant
        let estimate: Double
        let interval: Interval
    }

    private let points: [Point]
    private let numbers: ResultNumbers
    private let title: String
    private let bounds: (lower: Double, upper: Double)

    private static let width = 720
    private static let height = 240
    private static let left = 110.0
    private static let margin = 24.0

    init(of compared: ComparedArm, in result: ExperimentResult) {
        numbers = ResultNumbers(result.plan.measure)
        title = "\(compared.arm.label) minus \(compared.control.label)"
        let column = compared.arm.kind.column
        var points = result.looks.filter { $0.time < result.time }.compactMap { look -> Point? in
            guard let past = look.comparisons.first(where: { $0.arm == column }),
                let interval = past.interval
            else { return nil }
            return Point(time: look.time, estimate: past.estimate, interval: interval)
        }
        if let interval = compared.one.interval, let difference = compared.one.difference {
            points.append(
                Point(time: result.time, estimate: difference.estimate, interval: interval)
            )
        }
        self.points = points
        let lower = points.map(\.interval.lower).reduce(0, min)
        let upper = points.map(\.interval.upper).reduce(0, max)
        bounds = upper > lower ? (lower, upper) : (-1, 1)
    }

    /// Nil while it is too early for an interval.
    var node: HTMLNode? {
        guard let last = points.last else { return nil }
        let range = numbers.range(last.interval.lower, last.interval.upper)
        return HTMLNode(.figure, .class("chart")) {
            HTMLNode(
                .svg,
                .picture,
                .viewBox(width: Self.width, height: Self.height),
                .label("\(title): between \(range) at the last of \(points.count) looks")
            ) {
                band
                zero
                HTMLNode(
                    .polyline,
                    .class("estimate"),
                    .points(points.map { (x($0), height($0.estimate)) }),
                    text: ""
                )
                points.map { dot(x($0), height($0.estimate)) }
                labels
            }
            HTMLNode(
                .figcaption,
                .class("quiet"),
                text: "\(title). The area contains the true difference at all looks with a "
                    + "probability of 95 %. The line is the observed difference, and the dashed "
                    + "line no difference."
            )
        }
    }

    private func dot(_ x: Double, _ y: Double) -> HTMLNode {
        HTMLNode(
            .circle,
            .class("dot"),
            .place(.centerX, x),
            .place(.centerY, y),
            .place(.radius, 3),
            text: ""
        )
    }

    /// A single look is drawn as a narrow area.
    private var band: HTMLNode {
        let wide = points.count == 1 ? 2.0 : 0
        let upper = points.flatMap { point in
            let y = height(point.interval.upper)
            return wide == 0 ? [(x(point), y)] : [(x(point) - wide, y), (x(point) + wide, y)]
        }
        let lower = points.reversed().flatMap { point in
            let y = height(point.interval.lower)
            return wide == 0 ? [(x(point), y)] : [(x(point) + wide, y), (x(point) - wide, y)]
        }
        return HTMLNode(.polygon, .class("band"), .points(upper + lower), text: "")
    }

    private var zero: HTMLNode {
        HTMLNode(
            .line,
            .class("zero"),
            .place(.startX, Self.left),
            .place(.startY, height(0)),
            .place(.endX, Double(Self.width) - Self.margin),
            .place(.endY, height(0)),
            text: ""
        )
    }

    private var labels: [HTMLNode] {
        var labels = Set([bounds.lower, 0, bounds.upper]).sorted().map { value in
            label(
                numbers.difference(value).replacing(" percentage point", with: " point"),
                x: 0,
                y: height(value) + 4
            )
        }
        let bottom = Double(Self.height) - 4
        if let first = points.first, points.count > 1 {
            labels.append(label(day(first.time), x: Self.left, y: bottom))
        }
        if let last = points.last {
            labels.append(label(day(last.time), x: Double(Self.width) - 100, y: bottom))
        }
        return labels
    }

    private func day(_ time: Instant) -> String { String(time.utcText.prefix(10)) }

    private func label(_ text: String, x: Double, y: Double) -> HTMLNode {
        HTMLNode(.svgText, .place(.x, x), .place(.y, y), text: text)
    }

    private func x(_ point: Point) -> Double {
        guard let first = points.first, let last = points.last, first.time < last.time else {
            return (Self.left + Double(Self.width)) / 2
        }
        let whole = Double(last.time.seconds(since: first.time))
        let part = Double(point.time.seconds(since: first.time)) / whole
        return Self.left + part * (Double(Self.width) - Self.left - Self.margin)
    }

    private func height(_ value: Double) -> Double {
        let share = (bounds.upper - value) / (bounds.upper - bounds.lower)
        return Self.margin + share * (Double(Self.height) - 3 * Self.margin)
    }
}
