import CampaignModel
import Inbox
import Listening
import Synchronization
import Testing
import Time
import Upstream

@Suite(.timeLimit(.minutes(2)))
struct UpstreamListenerTests {
    @Test func `stores messages and acknowledges them on their connection`() async throws {
        let bench = try Bench()
        try await bench.running { server in
            let link = await server.link(1)
            link.receive([.connected, .payload(message("m-1"), peer: nil)])
            let sent = await link.sent(containing: "m-1")
            #expect(
                sent == #"<message id=""><gcm xmlns="google:mobile:data">{"to":"phone:APA91b","#
                    + #""message_id":"m-1","message_type":"ack"}</gcm></message>"#
            )
            #expect(await bench.inbox.ids == ["m-1"])
        }
    }

    @Test func `answers to the address that sent the stanza`() async throws {
        let bench = try Bench()
        try await bench.running { server in
            let link = await server.link(1)
            link.receive([.connected, .payload(message("m-1"), peer: "devices.example")])
            let sent = await link.sent(containing: "m-1")
            #expect(sent.hasPrefix(#"<message id="" to="devices.example">"#))
        }
    }

    @Test func `acknowledges a receipt to its sender, after it is stored`() async throws {
        let bench = try Bench()
        let receipt = """
            {"message_type":"receipt","message_id":"dr2:m-7","from":"gcm.googleapis.com",\
            "category":"com.example","data":{"message_status":"MESSAGE_SENT_TO_DEVICE",\
            "device_registration_id":"phone:APA91b"}}
            """
        try await bench.running { server in
            let link = await server.link(1)
            link.receive([.connected, .payload(Array(receipt.utf8), peer: nil)])
            let sent = await link.sent(containing: "dr2:m-7")
            #expect(sent.contains(#""to":"gcm.googleapis.com""#))
            #expect(await bench.inbox.ids == ["dr2:m-7"])
        }
    }

    @Test func `names what it refuses, and acknowledges the rest`() async throws {
        let bench = try Bench()
        try await bench.running { server in
            let link = await server.link(1)
            let bad = ["{", "[]", #"{"from":"r","message_id":"","category":"c","data":{}}"#]
            link.receive([.connected] + bad.map { .payload(Array($0.utf8), peer: nil) })
            link.receive([.payload(message("m-1"), peer: nil)])
            _ = await link.sent(containing: "m-1")
            #expect(link.text.components(of: "<message ") == 1)
        }
        #expect(bench.refused == ["empty_member", "not_an_object", "not_json"])
    }

    @Test func `an order to drain opens another connection`() async throws {
        let bench = try Bench()
        let control = #"{"message_type":"control","control_type":"CONNECTION_DRAINING"}"#
        try await bench.running { server in
            let first = await server.link(1)
            first.receive([.connected, .payload(Array(control.utf8), peer: nil)])
            let second = await server.link(2)
            second.receive([.connected])
            first.receive([.payload(message("m-1"), peer: nil)])
            second.receive([.payload(message("m-2"), peer: nil)])
            _ = await first.sent(containing: "m-1")
            _ = await second.sent(containing: "m-2")
            #expect(!second.text.contains("m-1") && !first.text.contains("m-2"))
        }
    }

    @Test func `stores after the store recovers, and acknowledges only then`() async throws {
        let bench = try Bench(failures: 1)
        try await bench.running { server in
            let link = await server.link(1)
            link.receive([.connected, .payload(message("m-1"), peer: nil)])
            _ = await link.sent(containing: "m-1")
            #expect(await bench.inbox.commits == 2)
        }
    }

    private func message(_ id: String) -> [UInt8] {
        let text =
            #"{"from":"phone:APA91b","category":"com.example","message_id":"\#(id)","data":{}}"#
        return Array(text.utf8)
    }
}

/// A listener, its inbox and the server that it connects to.
private struct Bench {
    let inbox: MemoryInbox
    private let server = FakeServer()
    private let listener: UpstreamListener
    private let notices: NoticeLog

    init(failures: Int = 0) throws {
        let inbox = MemoryInbox(failures: failures)
        let notices = NoticeLog()
        self.inbox = inbox
        self.notices = notices
        let setting = UpstreamListener.Setting(
            connector: server,
            endpoint: UpstreamEndpoint(
                server: .init(host: "127.0.0.1", port: 1, domain: "fcm.googleapis.com"),
                user: "1029384756",
                serverKey: ServerKey("key")
            ),
            sender: try #require(SenderID("1029384756")),
            inbox: inbox,
            clock: .fixed(Instant(secondsSince1970: 1_800_000_000))
        )
        let set = ConnectionSet<UpstreamMessage>(count: 1, seed: 1)
        listener = UpstreamListener(set, in: setting) { notices.add($0) }
    }

    var refused: [String] { notices.refused }

    func running(_ body: (FakeServer) async throws -> Void) async throws {
        let run = Task { [listener] in await listener.run() }
        do {
            try await body(server)
        } catch {
            listener.stop(within: .zero)
            throw error
        }
        listener.stop(within: .seconds(5))
        await run.value
    }
}

private final class NoticeLog: Sendable {
    private let names = Mutex<[String]>([])

    var refused: [String] { names.withLock { $0.sorted() } }

    func add(_ notice: UpstreamNotice) {
        guard case .refused(let refusal, over: .xmpp) = notice else { return }
        names.withLock { $0.append(refusal.name) }
    }
}

/// Opens links whose other side the test is.
private final class FakeServer: UpstreamConnector {
    private let links = Mutex<[FakeLink]>([])

    func open(
        _ endpoint: UpstreamEndpoint,
        receive: @escaping @Sendable ([LinkEvent]) -> Void
    ) -> any UpstreamLink {
        let link = FakeLink(receive: receive)
        links.withLock { $0.append(link) }
        return link
    }

    /// The link with a number, counted from 1, when the listener opened it.
    func link(_ number: Int) async -> FakeLink {
        while true {
            if let link = links.withLock({ $0.count >= number ? $0[number - 1] : nil }) {
                return link
            }
            await Task.yield()
        }
    }
}

private final class FakeLink: UpstreamLink {
    let receive: @Sendable ([LinkEvent]) -> Void
    private let output = Mutex<[UInt8]>([])
    private let hasEnded = Mutex(false)

    init(receive: @escaping @Sendable ([LinkEvent]) -> Void) {
        self.receive = receive
    }

    var text: String { output.withLock { String(decoding: $0, as: UTF8.self) } }

    /// All that was sent, as soon as it contains a text.
    func sent(containing part: String) async -> String {
        while !text.contains(part) { await Task.yield() }
        return text
    }

    func send(_ bytes: [UInt8]) { output.withLock { $0 += bytes } }

    func close() { abort() }

    func abort() {
        let isFirst = hasEnded.withLock { ended in
            defer { ended = true }
            return !ended
        }
        if isFirst { receive([.ended(.closedHere)]) }
    }
}

extension String {
    fileprivate func components(of part: String) -> Int { split(separator: part).count }
}
