/// The elements of which pages are made.
///
/// None of them runs a program, asks for anything over the network or sends what is typed.
package enum HTMLTag: String, Sendable, CaseIterable {
    case header, nav, main, section, article, footer
    case h1, h2, h3, h4, p, div, span
    case ul, ol, li, dl, dt, dd
    case table, caption, thead, tbody, tr, th, td
    case details, summary, figure, figcaption
    case a, bdi, code, pre, strong, em, ins, del, time, small
    case br

    /// Has no content and no closing tag.
    var isVoid: Bool { self == .br }

    /// Stands in the middle of a line: a line break around it would show as a space.
    var isInline: Bool {
        switch self {
        case .a, .bdi, .code, .strong, .em, .ins, .del, .time, .small, .span, .br: true
        default: false
        }
    }
}
