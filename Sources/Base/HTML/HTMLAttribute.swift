/// An attribute of an element.
///
/// The names are the program's; a value may be anybody's text.
package struct HTMLAttribute: Hashable, Sendable {
    let name: StaticName
    /// Nil where the name alone says it.
    let value: String?

    /// What the program itself wrote down.
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
    /// A link to a part of the same page; there are no others.
    package static func link(toPart id: String) -> Self { Self("href", "#" + id) }
    /// The moment that a `time` means, in RFC 3339.
    package static func moment(_ text: String) -> Self { Self("datetime", text) }
    /// Of a table's head: the cells that it is for.
    package static func scope(_ scope: Scope) -> Self { Self("scope", scope.rawValue) }
    /// Of a table's cell: so many columns, 1 or more.
    package static func columns(_ count: Int) -> Self { Self("colspan", String(count)) }
    /// The name for those who hear the page.
    package static func label(_ text: String) -> Self { Self("aria-label", text) }
    package static func labelled(by id: String) -> Self { Self("aria-labelledby", id) }
    /// Decoration, whose meaning stands in words beside it.
    package static let hidden = Self("aria-hidden", "true")
    /// Of `details`: unfolded from the beginning.
    package static let open = Self("open", nil)
    /// Runs in the direction of its first letter.
    package static let ownDirection = Self("dir", "auto")

    package enum Scope: String, Sendable {
        case column = "col"
        case row
    }
}
