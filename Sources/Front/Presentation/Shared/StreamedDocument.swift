import JSON

/// A JSON object whose last member is an array that is written element by element.
///
/// The text is the same as that of the complete object, except for the layout of the elements.
struct StreamedDocument<Head, Element>: Sendable {
    enum ElementLayout: Sendable {
        /// One line per element.
        case line
        /// One line per member.
        case pretty
    }

    private let head: JSONShape<Head>
    private let name: String
    private let element: JSONType<Element>
    private let layout: ElementLayout

    /// - Parameters:
    ///   - head: All other members.
    ///   - name: The name of the array.
    ///   - element: The type of its elements.
    ///   - layout: The layout of its elements.
    init(
        head: JSONShape<Head>,
        name: String,
        of element: JSONType<Element>,
        layout: ElementLayout
    ) {
        self.head = head
        self.name = name
        self.element = element
        self.layout = layout
    }

    var schema: JSONObject {
        let elements = JSONMember<[Element]>.required(name, .list(of: element)) { $0 }
        let members =
            head.members.reading { (whole: (Head, [Element])) in whole.0 }
            + [elements.reading { $0.1 }]
        return JSONShape(head.about, members).schema
    }

    /// Everything before the first element.
    func begin(_ value: Head) -> String {
        let text = JSONValue.object(head.json(of: value)).prettyText
        return text.dropLast(2) + ",\n  \"\(name)\": ["
    }

    func item(_ value: Element, isFirst: Bool) -> String {
        let text =
            switch layout {
            case .line: line(value)
            case .pretty: element.json(of: value).prettyText.indented(by: 4)
            }
        return (isFirst ? "\n    " : ",\n    ") + text
    }

    /// The element outside the document.
    func line(_ value: Element) -> String { element.json(of: value).lineText }

    func end(isEmpty: Bool) -> String { (isEmpty ? "" : "\n  ") + "]\n}\n" }
}
