import EmulatorXMPP
import JSON
import TestSupport
import Testing

/// An app server's side of an XMPP connection.
private struct Peer {
    var session = XMPPSession(id: "c1")

    static let header =
        "<?xml version='1.0'?><stream:stream to='fcm.googleapis.com' version='1.0' "
        + "xmlns='jabber:client' xmlns:stream='http://etherx.jabber.org/streams'>"
    /// `1029384756` and `key`.
    static let auth =
        "<auth xmlns='urn:ietf:params:xml:ns:xmpp-sasl' mechanism='PLAIN'>ADEwMjkzODQ3NTYAa2V5</auth>"
    static let bind =
        "<iq type='set' id='b1'><bind xmlns='urn:ietf:params:xml:ns:xmpp-bind'/></iq>"

    /// Sends a text in pieces of a number of bytes, and returns the events.
    mutating func say(_ text: String, pieces: Int = .max) -> [XMPPSession.Event] {
        var rest = Array(text.utf8)[...]
        var events: [XMPPSession.Event] = []
        while !rest.isEmpty {
            session.append(Array(rest.prefix(pieces)))
            rest = rest.dropFirst(min(pieces, rest.count))
            while let event = session.next() {
                events.append(event)
                if case .login(_, let key) = event {
                    if key == "key" { session.accept() } else { session.deny() }
                }
            }
        }
        return events
    }

    var answer: String {
        mutating get { String(decoding: session.takeOutput(), as: UTF8.self) }
    }

    mutating func connect() {
        _ = say(Self.header + Self.auth + Self.header + Self.bind)
        _ = session.takeOutput()
    }
}

struct XMPPSessionTests {
    @Test(arguments: [1, 7, Int.max])
    func `a peer authenticates, binds and sends, in pieces of any size`(pieces: Int) {
        var peer = Peer()
        let ack =
            "<message id=\"\"><gcm xmlns=\"google:mobile:data\">{&quot;a&quot;: \"&#x3C;é\"}</gcm>"
            + "</message>"
        let events = peer.say(
            Peer.header + Peer.auth + Peer.header + Peer.bind + " " + ack + "</stream:stream>",
            pieces: pieces
        )
        #expect(
            events == [
                .login(sender: "1029384756", key: "key"), .bound,
                .payload("{\"a\": \"<é\"}", id: ""), .ended,
            ]
        )
        let answer = peer.answer
        #expect(answer.contains("<mechanism>PLAIN</mechanism>"))
        #expect(answer.contains("<success xmlns=\"urn:ietf:params:xml:ns:xmpp-sasl\"/>"))
        #expect(answer.contains("<jid>1029384756@gcm.googleapis.com/c1</jid>"))
        #expect(answer.hasSuffix("</stream:stream>"))
    }

    @Test func `a wrong key ends the stream`() {
        var peer = Peer()
        let auth = Peer.auth.replacing("a2V5", with: "d3Jvbmc=")
        #expect(peer.say(Peer.header + auth).first == .login(sender: "1029384756", key: "wrong"))
        let answer = peer.answer
        #expect(answer.hasSuffix("<not-authorized/></failure></stream:stream>"))
        #expect(peer.session.hasEnded)
    }

    @Test(arguments: [
        ("<!DOCTYPE x [<!ENTITY a \"b\">]>", "restricted-xml"),
        ("<!-- comment -->", "restricted-xml"), ("<?php ?>", "restricted-xml"),
        ("<message>&bomb;</message>", "restricted-xml"),
        ("<message></iq>", "not-well-formed"), ("<message a=1/>", "not-well-formed"),
        ("<message a='1' a='2'/>", "not-well-formed"), ("<x:y/>", "not-well-formed"),
        ("text</stream:stream>", "not-well-formed"), ("<unknown/>", "unsupported-stanza-type"),
    ])
    func `XML that XMPP forbids ends the stream`(text: String, condition: String) {
        var peer = Peer()
        peer.connect()
        #expect(peer.say(text) == [.ended])
        let answer = peer.answer
        #expect(answer.contains("<\(condition) xmlns=\"urn:ietf:params:xml:ns:xmpp-streams\"/>"))
    }

    @Test func `a stanza above 64 KiB ends the stream before it is complete`() {
        var peer = Peer()
        peer.connect()
        let start = "<message><gcm xmlns='google:mobile:data'>"
        #expect(peer.say(start + String(repeating: "x", count: 65_536)) == [.ended])
        let answer = peer.answer
        #expect(answer.contains("<policy-violation"))
    }

    @Test func `elements may not be nested without end`() {
        var peer = Peer()
        peer.connect()
        #expect(peer.say(String(repeating: "<a>", count: 40)) == [.ended])
    }

    @Test func `messages need an authentication and a bound resource`() {
        var peer = Peer()
        let message = "<message><gcm xmlns='google:mobile:data'>{}</gcm></message>"
        #expect(peer.say(Peer.header + message) == [.ended])
        let answer = peer.answer
        #expect(answer.contains("<not-authorized"))
        var bound = Peer()
        #expect(
            bound.say(Peer.header + Peer.auth + Peer.header + message)
                == [.login(sender: "1029384756", key: "key"), .ended]
        )
    }

    @Test func `queries are answered and presence is ignored`() {
        var peer = Peer()
        peer.connect()
        #expect(
            peer.say(
                "<presence/><iq type='set' id='s'><session "
                    + "xmlns='urn:ietf:params:xml:ns:xmpp-session'/></iq>"
                    + "<iq type='get' id='p'><ping xmlns='urn:xmpp:ping'/></iq>"
            ) == []
        )
        let answer = peer.answer
        #expect(answer.hasPrefix("<iq id=\"s\" type=\"result\"/><iq id=\"p\" type=\"error\">"))
    }
}

struct GCMStanzaTests {
    @Test(.covers("U18"))
    func `stanzas have the form of the documents`() {
        #expect(
            String(
                decoding: GCMStanza.bytes(of: ["category": "com.example.yourapp", "text": "<&>\""]),
                as: UTF8.self
            )
                == #"<message id=""><gcm xmlns="google:mobile:data">{"category":"com.example.yourapp","#
                + #""text":"&lt;&amp;&gt;\""}</gcm></message>"#
        )
    }

    @Test func `reads what an app server sends`() {
        let ack = AppServerPayload(
            parsing: #"{"to":"REGID","message_id":"m-1","message_type":"ack"}"#
        )
        guard case .acknowledgement("REGID", "m-1") = ack else {
            Issue.record("\(ack)")
            return
        }
        let bad = AppServerPayload(parsing: #"{"message_id":"m-1","message_type":"ack"}"#)
        guard case .malformedAcknowledgement("m-1") = bad else {
            Issue.record("\(bad)")
            return
        }
        for text in ["random", "[]", #"{"message_id":"m"}"#, #"{"message_type":"x"}"#] {
            guard case .unusable = AppServerPayload(parsing: text) else {
                Issue.record("\(text) is usable")
                return
            }
        }
    }
}
