/// An element of a stanza.
package struct XMPPElement: Hashable, Sendable {
    /// Without a prefix.
    package let name: String
    package let namespace: String
    package let attributes: [String: String]
    package internal(set) var children: [XMPPElement] = []
    /// The text outside of its children.
    package internal(set) var text = ""

    package init(name: String, namespace: String, attributes: [String: String] = [:]) {
        self.name = name
        self.namespace = namespace
        self.attributes = attributes
    }

    package func child(_ name: String, in namespace: String) -> XMPPElement? {
        children.first { $0.name == name && $0.namespace == namespace }
    }
}

/// The namespaces of XMPP.
enum XMPPNamespace {
    static let stream = "http://etherx.jabber.org/streams"
    static let client = "jabber:client"
    static let sasl = "urn:ietf:params:xml:ns:xmpp-sasl"
    static let bind = "urn:ietf:params:xml:ns:xmpp-bind"
    static let session = "urn:ietf:params:xml:ns:xmpp-session"
    static let streams = "urn:ietf:params:xml:ns:xmpp-streams"
    static let stanzas = "urn:ietf:params:xml:ns:xmpp-stanzas"
}

/// Reads the stream of one XMPP peer.
struct XMPPStreamReader {
    enum Event: Equatable {
        /// The header of a stream.
        case opened
        case stanza(XMPPElement)
        case closed
    }

    /// An open element, with the namespaces that it declares.
    private struct Level {
        let tag: String
        var element: XMPPElement
        let namespaces: [String: String]
    }

    private var tokenizer = XMLTokenizer()
    /// The stream and the open elements of a stanza.
    private var levels: [Level] = []

    /// Maximum number of elements inside each other.
    private static let depth = 32

    mutating func append(_ bytes: [UInt8]) { tokenizer.append(bytes) }

    /// Expects another header, as after the authentication.
    mutating func restart() {
        levels = []
        tokenizer.expectDeclaration()
    }

    /// Returns nil if the next event is not complete.
    mutating func next() throws(XMPPStreamProblem) -> Event? {
        while let token = try tokenizer.next() {
            if levels.count <= 1 { tokenizer.restartCount() }
            switch token {
            case .text(let text):
                if levels.count > 1 {
                    levels[levels.count - 1].element.text += text
                } else if !text.allSatisfy(\.isWhitespace) {
                    throw .notWellFormed
                }
            case .open(let tag, let isEmpty):
                try open(tag)
                if levels.count == 1 {
                    guard !isEmpty else { throw .notWellFormed }
                    return .opened
                }
                if isEmpty, let stanza = close() { return .stanza(stanza) }
            case .close(let name):
                guard levels.last?.tag == name else { throw .notWellFormed }
                guard levels.count > 1 else {
                    levels = []
                    return .closed
                }
                if let stanza = close() { return .stanza(stanza) }
            }
        }
        return nil
    }

    private mutating func open(_ tag: XMLTag) throws(XMPPStreamProblem) {
        guard levels.count < Self.depth else { throw .policyViolation }
        var namespaces = levels.last?.namespaces ?? [:]
        for (name, value) in tag.attributes {
            if name == "xmlns" { namespaces[""] = value }
            if name.hasPrefix("xmlns:") { namespaces[String(name.dropFirst(6))] = value }
        }
        let parts = tag.name.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let prefix = parts.count == 2 ? String(parts[0]) : ""
        guard let namespace = namespaces[prefix] ?? (prefix.isEmpty ? "" : nil) else {
            throw .notWellFormed
        }
        let element = XMPPElement(
            name: String(parts[parts.count - 1]),
            namespace: namespace,
            attributes: tag.attributes
        )
        if levels.isEmpty {
            guard element.name == "stream", namespace == XMPPNamespace.stream else {
                throw .invalidNamespace
            }
        }
        levels.append(Level(tag: tag.name, element: element, namespaces: namespaces))
    }

    /// Closes the innermost element; returns it if it is a whole stanza.
    private mutating func close() -> XMPPElement? {
        let element = levels.removeLast().element
        guard levels.count > 1 else { return element }
        levels[levels.count - 1].element.children.append(element)
        return nil
    }
}
