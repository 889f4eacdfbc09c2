/// The elements that pages consist of.
///
/// None of them runs scripts or loads resources over the network. Controls are never part of a form,
/// so they submit nothing; only the document's own script reads them.
package enum HTMLTag: String, Sendable, CaseIterable {
    case header, nav, main, section, article, footer
    case h1, h2, h3, h4, p, div, span
    case ul, ol, li, dl, dt, dd
    case table, caption, thead, tbody, tr, th, td
    case details, summary, figure, figcaption
    case a, bdi, code, pre, strong, em, ins, del, time, small
    case br
    case input, button, label, select, option
    /// Parts of a picture in the page (SVG 2).
    case svg, polygon, polyline, line, circle, rect
    /// A label in a picture.
    case svgText = "text"

    /// Whether the element has no content and no closing tag.
    var isVoid: Bool { self == .br || self == .input }

    /// Whether it is inline: a line break around it would appear as a space.
    var isInline: Bool {
        switch self {
        case .a, .bdi, .code, .strong, .em, .ins, .del, .time, .small, .span, .br, .input, .button,
            .label, .select, .option:
            true
        default: false
        }
    }
}
