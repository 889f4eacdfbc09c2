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

        fileprivate init(data name: StaticString) { text = "data-\(name)" }
    }

    private init(name: StaticString, value: String?) {
        self.init(name: StaticName(name), value: value)
    }

    private init(name: StaticName, value: String?) {
        self.name = name
        self.value = value
    }

    package static func `class`(_ names: String...) -> Self {
        Self(name: "class", value: names.joined(separator: " "))
    }

    package static func id(_ id: String) -> Self { Self(name: "id", value: id) }
    /// Links to a part of the same page.
    package static func link(toPart id: String) -> Self { Self(name: "href", value: "#" + id) }
    /// Links to a file or a page, which only a click loads.
    package static func link(to link: HTMLLink) -> Self { Self(name: "href", value: link.address) }
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

    /// A value for the document's script.
    package static func data(_ name: StaticString, _ value: String) -> Self {
        Self(name: StaticName(data: name), value: value)
    }
    /// Hides an element from everyone until the document's script shows it.
    package static let withoutScriptHidden = Self(name: "hidden", value: nil)
    /// A control for searching.
    package static let search = Self(name: "type", value: "search")
    /// A button that only the document's script gives a meaning.
    package static let pushed = Self(name: "type", value: "button")
    /// Whether a button that stays pressed is pressed.
    package static func pressed(_ isPressed: Bool) -> Self {
        Self(name: "aria-pressed", value: "\(isPressed)")
    }
    /// The ID of the control that a label names.
    package static func names(_ id: String) -> Self { Self(name: "for", value: id) }
    /// The value of an option.
    package static func value(_ value: String) -> Self { Self(name: "value", value: value) }
    /// Screen readers announce changes of its text.
    package static let status = Self(name: "role", value: "status")
    /// A group of controls.
    package static let group = Self(name: "role", value: "group")
    /// Lets the keyboard scroll an element that may be wider than its place.
    package static let scrollable = Self(name: "tabindex", value: "0")

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

    /// Which part of a label is at its place; the start if there is none.
    package static func anchor(_ anchor: Anchor) -> Self {
        Self(name: "text-anchor", value: anchor.rawValue)
    }

    package enum Anchor: String, Sendable {
        case middle
        case end
    }

    /// A place in a picture.
    package enum Place: Sendable {
        case x, y, centerX, centerY, radius, startX, startY, endX, endY, width, height

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
            case .width: "width"
            case .height: "height"
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
