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

    private init(_ name: StaticString, _ value: String?) {
        self.name = StaticName(name)
        self.value = value
    }

    package static func `class`(_ names: String...) -> Self {
        Self("class", names.joined(separator: " "))
    }

    package static func id(_ id: String) -> Self { Self("id", id) }
    /// Links to a part of the same page; other links do not exist.
    package static func link(toPart id: String) -> Self { Self("href", "#" + id) }
    /// The time of a `time` element, in RFC 3339.
    package static func moment(_ text: String) -> Self { Self("datetime", text) }
    /// The cells that a header cell of a table applies to.
    package static func scope(_ scope: Scope) -> Self { Self("scope", scope.rawValue) }
    /// The number of columns of a table cell, at least 1.
    package static func columns(_ count: Int) -> Self { Self("colspan", String(count)) }
    /// The name for screen readers.
    package static func label(_ text: String) -> Self { Self("aria-label", text) }
    package static func labelled(by id: String) -> Self { Self("aria-labelledby", id) }
    /// Marks decoration whose meaning is also given as text.
    package static let hidden = Self("aria-hidden", "true")
    /// Shows a `details` element unfolded.
    package static let open = Self("open", nil)
    /// Sets the direction from the text's first strong character.
    package static let ownDirection = Self("dir", "auto")

    package enum Scope: String, Sendable {
        case column = "col"
        case row
    }
}
