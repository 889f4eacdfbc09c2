/// FCM's side of one XMPP connection of an app server: a machine without a socket.
///
/// TLS is below it. After the authentication with SASL PLAIN, the peer binds a resource and
/// exchanges messages (RFC 6120; Firebase documentation, XMPP server protocol).
package struct XMPPSession: Sendable {
    package enum Event: Hashable, Sendable {
        /// The peer names itself; answer with `accept`, `deny` or `refuse`.
        case login(sender: String, key: String)
        /// The peer may receive messages.
        case bound
        /// The text of a `gcm` element, and the ID of its stanza.
        case payload(String, id: String)
        /// The stream is over; close the connection after the bytes are sent.
        case ended
    }

    private enum Phase: Hashable {
        case anonymous
        /// The caller decides about a login.
        case deciding(sender: String)
        case authenticated(sender: String)
        case bound(sender: String)
        case ended
    }

    private var reader = XMPPStreamReader()
    private var phase = Phase.anonymous
    private let id: String
    private var output: [UInt8] = []
    /// Whether the header of the current stream was sent.
    private var hasHeader = false

    private static let domain = "gcm.googleapis.com"

    /// - Parameter id: A text that no other connection has.
    package init(id: String) {
        self.id = id
    }

    package var hasEnded: Bool { phase == .ended }

    /// Returns the bytes to send, once.
    package mutating func takeOutput() -> [UInt8] {
        defer { output = [] }
        return output
    }

    package mutating func append(_ bytes: [UInt8]) { reader.append(bytes) }

    /// Returns the next event, or nil if the caller has to decide or more bytes are needed.
    package mutating func next() -> Event? {
        if case .deciding = phase { return nil }
        guard phase != .ended else { return nil }
        do throws(XMPPStreamProblem) {
            while let event = try reader.next() {
                switch event {
                case .opened: sendHeader()
                case .closed: return end()
                case .stanza(let element):
                    if let event = try receive(element) { return event }
                }
            }
            return nil
        } catch {
            return fail(error.rawValue)
        }
    }

    /// Sends a stanza to a bound peer.
    package mutating func send(_ stanza: [UInt8]) {
        if case .bound = phase { output += stanza }
    }

    // MARK: Answers to a login

    package mutating func accept() {
        guard case .deciding(let sender) = phase else { return }
        phase = .authenticated(sender: sender)
        hasHeader = false
        reader.restart()
        send("<success xmlns=\"\(XMPPNamespace.sasl)\"/>")
    }

    /// The sender ID or the key is wrong.
    package mutating func deny() {
        send("<failure xmlns=\"\(XMPPNamespace.sasl)\"><not-authorized/></failure>")
        _ = end()
    }

    /// Ends the stream with an error, such as `policy-violation`.
    @discardableResult
    package mutating func fail(_ condition: String, because text: String = "") -> Event {
        sendHeader()
        let streams = XMPPNamespace.streams
        let reason =
            text.isEmpty ? "" : "<text xmlns=\"\(streams)\">\(XMLText.escaped(text))</text>"
        send("<stream:error><\(condition) xmlns=\"\(streams)\"/>\(reason)</stream:error>")
        return end()
    }

    @discardableResult
    package mutating func end() -> Event {
        if phase != .ended { send("</stream:stream>") }
        phase = .ended
        return .ended
    }

    private mutating func send(_ text: String) { output += text.utf8 }
}

// MARK: - The stream

extension XMPPSession {
    private mutating func sendHeader() {
        guard !hasHeader else { return }
        hasHeader = true
        send(
            "<stream:stream from=\"\(Self.domain)\" id=\"\(XMLText.escaped(id))\" version=\"1.0\" "
                + "xmlns:stream=\"\(XMPPNamespace.stream)\" xmlns=\"\(XMPPNamespace.client)\">"
        )
        let features =
            switch phase {
            case .anonymous, .deciding, .ended:
                "<mechanisms xmlns=\"\(XMPPNamespace.sasl)\"><mechanism>PLAIN</mechanism>"
                    + "</mechanisms>"
            // Without a session (RFC 6121, appendix E), which clients would establish before they
            // take messages.
            case .authenticated, .bound: "<bind xmlns=\"\(XMPPNamespace.bind)\"/>"
            }
        send("<stream:features>\(features)</stream:features>")
    }

    private mutating func receive(_ element: XMPPElement) throws(XMPPStreamProblem) -> Event? {
        switch phase {
        case .anonymous:
            guard element.name == "auth", element.namespace == XMPPNamespace.sasl else {
                throw .notAuthorized
            }
            return login(element)
        case .authenticated(let sender), .bound(let sender):
            guard element.namespace == XMPPNamespace.client else { throw .unsupportedStanzaType }
            return try receive(stanza: element, of: sender)
        case .deciding, .ended: return nil
        }
    }

    private mutating func login(_ element: XMPPElement) -> Event? {
        guard element.attributes["mechanism"] == "PLAIN" else {
            return refuseLogin("invalid-mechanism")
        }
        guard let bytes = Base64.bytes(of: element.text),
            let text = String(validating: bytes, as: UTF8.self)
        else { return refuseLogin("incorrect-encoding") }
        let parts = text.split(separator: "\0", omittingEmptySubsequences: false)
        guard parts.count == 3 else { return refuseLogin("malformed-request") }
        // The user may be written with a domain.
        let sender = String(parts[1].prefix { $0 != "@" })
        phase = .deciding(sender: sender)
        return .login(sender: sender, key: String(parts[2]))
    }

    private mutating func refuseLogin(_ condition: String) -> Event {
        send("<failure xmlns=\"\(XMPPNamespace.sasl)\"><\(condition)/></failure>")
        return end()
    }

    private mutating func receive(
        stanza: XMPPElement,
        of sender: String
    ) throws(XMPPStreamProblem) -> Event? {
        let id = stanza.attributes["id"] ?? ""
        switch stanza.name {
        case "iq": return answer(stanza, id: id, of: sender)
        // FCM has no presence.
        case "presence": return nil
        case "message":
            guard case .bound = phase else { throw .notAuthorized }
            guard stanza.attributes["type"] != "error" else { return nil }
            guard let payload = stanza.child("gcm", in: GCMStanza.namespace) else {
                output += GCMStanza.error("no gcm element", id: id, payload: "")
                return nil
            }
            return .payload(payload.text, id: id)
        default: throw .unsupportedStanzaType
        }
    }

    private mutating func answer(_ iq: XMPPElement, id: String, of sender: String) -> Event? {
        let type = iq.attributes["type"]
        guard type == "get" || type == "set" else { return nil }
        let id = XMLText.escaped(id)
        if type == "set", let bind = iq.child("bind", in: XMPPNamespace.bind) {
            let wish = bind.child("resource", in: XMPPNamespace.bind)?.text ?? ""
            let address = "\(sender)@\(Self.domain)/\(wish.isEmpty ? self.id : wish)"
            send(
                "<iq id=\"\(id)\" type=\"result\"><bind xmlns=\"\(XMPPNamespace.bind)\"><jid>"
                    + XMLText.escaped(address) + "</jid></bind></iq>"
            )
            guard case .authenticated = phase else { return nil }
            phase = .bound(sender: sender)
            return .bound
        }
        if type == "set", iq.child("session", in: XMPPNamespace.session) != nil {
            send("<iq id=\"\(id)\" type=\"result\"/>")
            return nil
        }
        send(
            "<iq id=\"\(id)\" type=\"error\"><error type=\"cancel\"><service-unavailable xmlns=\""
                + XMPPNamespace.stanzas + "\"/></error></iq>"
        )
        return nil
    }
}

/// Base64 with padding (RFC 4648).
enum Base64 {
    /// Returns nil if the text is not base64.
    static func bytes(of text: String) -> [UInt8]? {
        let digits = text.utf8.prefix { $0 != UInt8(ascii: "=") }
        let padding = text.utf8.count - digits.count
        guard text.utf8.count.isMultiple(of: 4), padding <= 2,
            text.utf8.suffix(padding).allSatisfy({ $0 == UInt8(ascii: "=") })
        else { return nil }
        var bytes: [UInt8] = []
        var bits: UInt32 = 0
        for (index, digit) in digits.enumerated() {
            guard let value = value(of: digit) else { return nil }
            bits = bits << 6 | value
            let filled = (index + 1) * 6
            guard filled / 8 > bytes.count else { continue }
            bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(filled % 8)))
        }
        return bytes
    }

    private static func value(of digit: UInt8) -> UInt32? {
        switch digit {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(digit - UInt8(ascii: "A"))
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(digit - UInt8(ascii: "a")) + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(digit - UInt8(ascii: "0")) + 52
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        default: nil
        }
    }
}
