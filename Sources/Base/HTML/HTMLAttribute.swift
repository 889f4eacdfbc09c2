/// An attribute of an element.
///
/// The names are constants of the program; values may be untrusted.
package struct HTMLAttribute: Hashable, Sendable {
    let name: StaticName
    /// nil if the attribute has only a name.
    let value: String?

    /// A constant of the program.
    struct StaticName: Hashable, Sendable {
        let text: String

        init(_ text: StaticString) { self.text = text.description }
    }

    private init(name: StaticString, value: String?) {
        self.name = StaticName(name)
        self.value = value
    }

    package static func `class`(_ names: String...) -> Self {
        Self(name: "class", value: names.joined(separator: " "))
    }

    package static func id(_ id: String) -> Self { Self(name: "id", value: id) }
    /// Links to a part of the same page; other links do not exist.
    package static func link(toPart id: String) -> Self { Self(name: "href", value: "#" + id) }
    /// The time of a `time` element, in RFC 3339.
    package static func moment(_ text: String) -> Self { Self(name: "datetime", value: text) }
    /// The cells that a header cell of a table applies to.
    package static func scope(_ scope: Scope) -> Self { Self(name: "scope", value: scope.rawValue) }
    /// The number of columns of a table cell, at least 1.
    package static func columns(_ count: Int) -> Self {
        Self(name: "colspan", value: String(count))
    }
    /// The name for screen readers.
    package static func label(_ text: String) -> Self { Self(name: "aria-label", value: text) }
    package static func labelled(by id: String) -> Self { Self(name: "aria-labelledby", value: id) }
    /// Marks decoration whose meaning is also given as text.
    package static let hidden = Self(name: "aria-hidden", value: "true")
    /// Shows a `details` element unfolded.
    package static let open = Self(name: "open", value: nil)
    /// Sets the direction from the text's first strong character.
    package static let ownDirection = Self(name: "dir", value: "auto")

    /// Describes a picture to screen readers; its parts are hidden from them.
    package static let picture = Self(name: "role", value: "img")
    /// The size of a picture in its own units.
    package static func viewBox(width: Int, height: Int) -> Self {
        Self(name: "viewBox", value: "0 0 \(width) \(height)")
    }
    /// The corners of a line or an area.
    package static func points(_ points: [(x: Double, y: Double)]) -> Self {
        Self(
            name: "points",
            value: points.map { "\(rounded($0.x)),\(rounded($0.y))" }.joined(separator: " ")
        )
    }
    /// The place of a label, or the centre of a circle.
    package static func place(_ place: Place, _ value: Double) -> Self {
        Self(name: place.name, value: rounded(value))
    }

    /// A place in a picture.
    package enum Place: Sendable {
        case x, y, centerX, centerY, radius, startX, startY, endX, endY

        fileprivate var name: StaticString {
            switch self {
            case .x: "x"
            case .y: "y"
            case .centerX: "cx"
            case .centerY: "cy"
            case .radius: "r"
            case .startX: "x1"
            case .startY: "y1"
            case .endX: "x2"
            case .endY: "y2"
            }
        }
    }

    /// A tenth of a unit is below what a screen shows.
    private static func rounded(_ value: Double) -> String {
        "\((value * 10).rounded() / 10)"
    }

    package enum Scope: String, Sendable {
        case column = "col"
        case row
    }
}
