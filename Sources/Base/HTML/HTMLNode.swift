import Text

/// A part of a page: a text, or an element with its content.
///
/// Text is always escaped: only an element can add markup to a page.
package indirect enum HTMLNode: Hashable, Sendable {
    case text(String)
    case element(HTMLTag, [HTMLAttribute], [HTMLNode])

    package init(
        _ tag: HTMLTag,
        _ attributes: HTMLAttribute...,
        @HTMLBuilder content: () -> [HTMLNode]
    ) {
        self = .element(tag, attributes, content())
    }

    package init(_ tag: HTMLTag, _ attributes: HTMLAttribute..., text: String) {
        self = .element(tag, attributes, [.text(text)])
    }
}

/// Concatenates the parts of an element.
@resultBuilder
package enum HTMLBuilder {
    package static func buildExpression(_ node: HTMLNode) -> [HTMLNode] { [node] }
    package static func buildExpression(_ node: HTMLNode?) -> [HTMLNode] { node.map { [$0] } ?? [] }
    package static func buildExpression(_ nodes: [HTMLNode]) -> [HTMLNode] { nodes }
    package static func buildExpression(_ text: String) -> [HTMLNode] { [.text(text)] }
    package static func buildBlock(_ parts: [HTMLNode]...) -> [HTMLNode] { Array(parts.joined()) }
    package static func buildOptional(_ part: [HTMLNode]?) -> [HTMLNode] { part ?? [] }
    package static func buildEither(first part: [HTMLNode]) -> [HTMLNode] { part }
    package static func buildEither(second part: [HTMLNode]) -> [HTMLNode] { part }
    package static func buildArray(_ parts: [[HTMLNode]]) -> [HTMLNode] { Array(parts.joined()) }
}

// MARK: - Writing

extension HTMLNode {
    /// Escapes a text for HTML (HTML Living Standard, section 13.1.4, Character references).
    ///
    /// Characters that are invisible or reorder text are written as escapes.
    package static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in TerminalText.visible(text).unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "'": result += "&#39;"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    package var markup: String {
        var text = ""
        write(to: &text)
        return text
    }

    func write(to text: inout String) {
        switch self {
        case .text(let content): text += Self.escaped(content)
        case .element(let tag, let attributes, let content):
            text += "<" + tag.rawValue
            for attribute in attributes { attribute.write(to: &text) }
            text += ">"
            guard !tag.isVoid else { return }
            for node in content { node.write(to: &text) }
            text += "</\(tag.rawValue)>" + (tag.isInline ? "" : "\n")
        }
    }
}

extension HTMLAttribute {
    fileprivate func write(to text: inout String) {
        text += " " + name.text
        if let value { text += "=\"" + HTMLNode.escaped(value) + "\"" }
    }
}
