/// A path in which `*`, `?` and `[…]` stand for parts of file names.
///
/// `*` matches any characters of a name, `?` matches one, and `[a-z]` or `[!a-z]` matches one that
/// is or is not in the brackets. A backslash before one of these characters takes it literally.
/// Wildcards do not match `/`, nor a name that begins with a dot unless the pattern does.
package struct PathPattern: Hashable, Sendable {
    package enum Failure: Error, Hashable, Sendable {
        /// `**`, which in other programs matches directories at any depth.
        case doubleStar
        case unclosedBracket
        /// A range in brackets that ends before it begins.
        case emptyRange
        /// A backslash at the end of a name.
        case trailingBackslash
    }

    package enum Component: Hashable, Sendable {
        case name(String)
        case wildcard(NamePattern)
    }

    /// The parts between the slashes; the first is an empty name if the path is absolute.
    package let components: [Component]

    package init(parsing text: String) throws(Failure) {
        var components: [Component] = []
        for part in text.unicodeScalars.split(separator: "/", omittingEmptySubsequences: false) {
            components.append(try Self.component(part))
        }
        self.components = components
    }

    /// The path, if it contains no wildcards.
    package var literal: String? {
        var names: [String] = []
        for component in components {
            guard case .name(let name) = component else { return nil }
            names.append(name)
        }
        return names.joined(separator: "/")
    }

    /// Returns the pattern that matches only this path.
    package static func escaping(_ path: String) -> String {
        var text = ""
        for scalar in path.unicodeScalars {
            if special.contains(scalar) { text.unicodeScalars.append("\\") }
            text.unicodeScalars.append(scalar)
        }
        return text
    }

    private static let special: Set<Unicode.Scalar> = ["*", "?", "[", "\\"]

    private static func component(_ text: Substring.UnicodeScalarView) throws(Failure) -> Component
    {
        let elements = try NamePattern.elements(text)
        let name = NamePattern.literal(elements)
        return name.map(Component.name) ?? .wildcard(NamePattern(elements))
    }
}

/// A pattern for one name.
package struct NamePattern: Hashable, Sendable {
    enum Element: Hashable, Sendable {
        case scalar(Unicode.Scalar)
        case anyScalar
        case anyText
        case brackets([ClosedRange<Unicode.Scalar>], isNegated: Bool)
    }

    private let elements: [Element]

    init(_ elements: [Element]) {
        self.elements = elements
    }

    /// Compares Unicode scalars, because names in a file system are bytes.
    ///
    /// If the rest of the name does not match, the last `*` takes one more character.
    package func matches(_ name: String) -> Bool {
        let name = Array(name.unicodeScalars)
        guard name.first != "." || elements.first == .scalar(".") else { return false }
        var (place, next) = (0, 0)
        var star: (place: Int, next: Int)?
        while place < name.count {
            if next < elements.count, elements[next] == .anyText {
                star = (place, next)
                next += 1
            } else if next < elements.count, elements[next].matches(name[place]) {
                place += 1
                next += 1
            } else if let last = star {
                star = (last.place + 1, last.next)
                (place, next) = (last.place + 1, last.next + 1)
            } else {
                return false
            }
        }
        return elements[next...].allSatisfy { $0 == .anyText }
    }
}

extension NamePattern.Element {
    fileprivate func matches(_ scalar: Unicode.Scalar) -> Bool {
        switch self {
        case .scalar(let own): own == scalar
        case .anyScalar, .anyText: true
        case .brackets(let ranges, let isNegated):
            ranges.contains { $0.contains(scalar) } != isNegated
        }
    }
}

// MARK: - Parsing

extension NamePattern {
    /// The name that the elements match, if they contain no wildcard.
    fileprivate static func literal(_ elements: [Element]) -> String? {
        var name = String.UnicodeScalarView()
        for element in elements {
            guard case .scalar(let scalar) = element else { return nil }
            name.append(scalar)
        }
        return String(name)
    }

    fileprivate static func elements(
        _ text: Substring.UnicodeScalarView
    ) throws(PathPattern.Failure) -> [Element] {
        var rest = text
        var elements: [Element] = []
        while let scalar = rest.popFirst() {
            switch scalar {
            case "*":
                guard elements.last != .anyText else { throw .doubleStar }
                elements.append(.anyText)
            case "?": elements.append(.anyScalar)
            case "[": elements.append(try brackets(&rest))
            default: elements.append(.scalar(try unescaped(scalar, before: &rest)))
            }
        }
        return elements
    }

    /// Parses the content of brackets; a closing bracket that comes first is part of it.
    private static func brackets(
        _ rest: inout Substring.UnicodeScalarView
    ) throws(PathPattern.Failure) -> Element {
        let isNegated = rest.first == "!" || rest.first == "^"
        if isNegated { rest.removeFirst() }
        var ranges: [ClosedRange<Unicode.Scalar>] = []
        while let scalar = rest.popFirst() {
            if scalar == "]", !ranges.isEmpty { return .brackets(ranges, isNegated: isNegated) }
            let low = try unescaped(scalar, before: &rest)
            var high = low
            if rest.first == "-", let end = rest.dropFirst().first, end != "]" {
                rest.removeFirst(2)
                high = try unescaped(end, before: &rest)
            }
            guard low <= high else { throw .emptyRange }
            ranges.append(low...high)
        }
        throw .unclosedBracket
    }

    private static func unescaped(
        _ scalar: Unicode.Scalar,
        before rest: inout Substring.UnicodeScalarView
    ) throws(PathPattern.Failure) -> Unicode.Scalar {
        guard scalar == "\\" else { return scalar }
        guard let next = rest.popFirst() else { throw .trailingBackslash }
        return next
    }
}
