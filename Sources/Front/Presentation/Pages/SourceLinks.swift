import HTML
import Text

/// Where a page's links to the project's files lead.
package enum SourceLinks: Hashable, Sendable {
    /// To the files themselves, if the page is in the project's folder.
    case besidePage
    /// To the pages of a commit on a web server, such as
    /// `https://github.com/tidewatch/push/blob/0123abc/`.
    case repository(String)

    func link(to place: SourcePlace) -> HTMLLink {
        switch self {
        case .besidePage: return HTMLLink(file: place.path)
        case .repository(let base):
            let path = place.path.percentEncoded(keeping: "/")
            return HTMLLink(page: "\(base)\(path)#L\(place.line)") ?? HTMLLink(file: place.path)
        }
    }

    func node(_ place: SourcePlace) -> HTMLNode {
        HTMLNode(.a, .class("source"), .link(to: link(to: place))) {
            HTMLNode(.bdi, text: place.text)
        }
    }
}
