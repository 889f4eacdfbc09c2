import EmulatorAPI

/// A file of the web page, as stored in `Files`.
enum PageFile: String, CaseIterable, Sendable {
    case document = "page.html"
    case style = "page.css"
    case phonesStyle = "phones.css"
    case viewsStyle = "views.css"
    case start = "page.js"
    case activity = "activity.js"
    case address = "address.js"
    case control = "control.js"
    case dialogs = "dialogs.js"
    case dom = "dom.js"
    case faults = "faults.js"
    case feed = "feed.js"
    case grid = "grid.js"
    case inbox = "inbox.js"
    case keys = "keys.js"
    case phone = "phone.js"
    case replies = "replies.js"
    case request = "request.js"
    case requests = "requests.js"
    case send = "send.js"
    case settings = "settings.js"
    case words = "words.js"

    /// The path: `/` for the page itself, and below `/emulator` for its other files.
    var path: String { self == .document ? "/" : "/emulator/\(rawValue)" }

    var mediaType: String {
        switch self {
        case .document: "text/html"
        case .style, .phonesStyle, .viewsStyle: "text/css"
        default: "text/javascript"
        }
    }

    private var bytes: [UInt8] {
        switch self {
        case .document: PackageResources.page_html
        case .style: PackageResources.page_css
        case .phonesStyle: PackageResources.phones_css
        case .viewsStyle: PackageResources.views_css
        case .start: PackageResources.page_js
        case .activity: PackageResources.activity_js
        case .address: PackageResources.address_js
        case .control: PackageResources.control_js
        case .dialogs: PackageResources.dialogs_js
        case .dom: PackageResources.dom_js
        case .faults: PackageResources.faults_js
        case .feed: PackageResources.feed_js
        case .grid: PackageResources.grid_js
        case .inbox: PackageResources.inbox_js
        case .keys: PackageResources.keys_js
        case .phone: PackageResources.phone_js
        case .replies: PackageResources.replies_js
        case .request: PackageResources.request_js
        case .requests: PackageResources.requests_js
        case .send: PackageResources.send_js
        case .settings: PackageResources.settings_js
        case .words: PackageResources.words_js
        }
    }

    var query: PageQuery { PageQuery(path: path) { _, _ in answer } }

    private var answer: RenderedAnswer {
        var answer = RenderedAnswer(status: 200, bytes: bytes)
        answer.contentType = mediaType + "; charset=utf-8"
        answer.headers = Self.headers
        // Clients detect the metadata server by this field.
        if self == .document { answer.headers.append(("Metadata-Flavor", "Google")) }
        return answer
    }

    /// Security headers: only these files are loaded and run, nothing becomes markup (Trusted
    /// Types), and no other page may frame or open this one (W3C, Content Security Policy Level 3;
    /// Fetch, Cross-Origin-Resource-Policy).
    private static let headers: [(name: String, value: String)] = [
        (
            "Content-Security-Policy",
            "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
                + "img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
                + "require-trusted-types-for 'script'; trusted-types 'none'"
        ),
        ("X-Content-Type-Options", "nosniff"), ("Referrer-Policy", "no-referrer"),
        ("Cross-Origin-Opener-Policy", "same-origin"),
        ("Cross-Origin-Resource-Policy", "same-origin"), ("Cache-Control", "no-store"),
    ]
}
