import DeliveryModel
import JSON
import TestSupport
import Testing

struct AppServersTests {
    private let tides = AppServer(project: "", sender: "1029384756")

    private func deliveries(_ numbers: ClosedRange<Int>) throws -> [UpstreamDelivery] {
        let device = try registration("REGID")
        return numbers.map { number in
            let content = UpstreamContent(
                UpstreamCall(message: [:], to: nil, id: "m-\(number)", timeToLive: 60),
                category: "a"
            )
            return UpstreamDelivery(number: number, content: content, from: device, device: "pixel")
        }
    }

    private func key(_ number: Int) -> UpstreamKey {
        UpstreamKey(registration: "REGID", id: "m-\(number)")
    }

    @Test(.covers("F4-xmpp"))
    func `a connection has at most 100 unacknowledged messages`() throws {
        var servers = AppServers()
        #expect(servers.connect(1, of: tides, at: second(0)) == nil)
        #expect(servers.room(of: tides).count == 100)
        let placed = servers.assign(try deliveries(1...150), to: tides)
        #expect(placed.map(\.delivery.number) == Array(1...100))
        #expect(servers.room(of: tides) == AppServers.Room(after: 100, count: 0))
        #expect(servers.acknowledge(key(7), on: 1) == 7)
        #expect(servers.room(of: tides) == AppServers.Room(after: 100, count: 1))
        #expect(
            servers.assign(try deliveries(101...150), to: tides).map(\.delivery.number) == [101]
        )
    }

    @Test func `messages are spread over the connections of a server`() throws {
        var servers = AppServers()
        for id in 1...2 { _ = servers.connect(id, of: tides, at: second(0)) }
        let placed = servers.assign(try deliveries(1...4), to: tides)
        #expect(placed.filter { $0.connection == 1 }.count == 2)
        #expect(placed.filter { $0.connection == 2 }.count == 2)
    }

    @Test(.covers("U19"))
    func `an acknowledgement counts only on the connection of its message`() throws {
        var servers = AppServers()
        _ = servers.connect(1, of: tides, at: second(0))
        _ = servers.assign(try deliveries(1...1), to: tides)
        _ = servers.connect(2, of: tides, at: second(0))
        #expect(servers.acknowledge(key(1), on: 2) == nil)
        #expect(servers.acknowledge(key(1), on: 1) == 1)
        #expect(servers.acknowledge(key(1), on: 1) == nil)
    }

    @Test(.covers("U20"))
    func `the messages of a lost connection are sent again on another`() throws {
        var servers = AppServers()
        _ = servers.connect(1, of: tides, at: second(0))
        _ = servers.assign(try deliveries(1...3), to: tides)
        _ = servers.acknowledge(key(2), on: 1)
        servers.close(1)
        _ = servers.connect(2, of: tides, at: second(1))
        #expect(servers.room(of: tides).after == 0)
        // The second is acknowledged, so that the queue no longer has it.
        let rest = try deliveries(1...1) + deliveries(3...3)
        let placed = servers.assign(rest, to: tides)
        #expect(placed.map(\.delivery.number) == [1, 3])
        #expect(placed.map(\.connection) == [2, 2])
    }

    @Test func `receipts take room, and those of a lost connection are returned`() throws {
        var servers = AppServers()
        _ = servers.connect(1, of: tides, at: second(0))
        let receipt = UpstreamKey(registration: "gcm.googleapis.com", id: "dr2:s-1")
        _ = servers.assign(try deliveries(1...99), to: tides)
        #expect(servers.assign(receipt: -1, key: receipt, to: tides) == 1)
        #expect(servers.assign(receipt: -2, key: receipt, to: tides) == nil)
        #expect(servers.close(1) == [-1])
        #expect(servers.room(of: tides).after == 0)
    }

    @Test func `a draining connection gets no messages and ends after the last acknowledgement`()
        throws
    {
        var servers = AppServers()
        _ = servers.connect(1, of: tides, at: second(0))
        _ = servers.assign(try deliveries(1...1), to: tides)
        #expect(servers.drain("other") == [])
        #expect(servers.drain("") == [1])
        #expect(servers.room(of: tides).count == 0)
        #expect(!servers.isDrained(1))
        _ = servers.connect(2, of: tides, at: second(1))
        #expect(servers.assign(try deliveries(2...2), to: tides).map(\.connection) == [2])
        _ = servers.acknowledge(key(1), on: 1)
        #expect(servers.isDrained(1))
        #expect(!servers.isDrained(2))
    }

    @Test(.covers("F4-xmpp"))
    func `a project has 400 connects in any minute`() {
        var servers = AppServers()
        for id in 1...400 {
            #expect(servers.connect(id, of: tides, at: second(10)) == nil)
            servers.close(id)
        }
        #expect(servers.connect(401, of: tides, at: second(69)) == .tooManyConnects)
        let other = AppServer(project: "other", sender: "5")
        #expect(servers.connect(402, of: other, at: second(69)) == nil)
        #expect(servers.connect(403, of: tides, at: second(70)) == nil)
    }

    @Test(.covers("F4-xmpp"))
    func `a project has 2,500 connections`() {
        var servers = AppServers()
        for id in 1...2_500 {
            // 400 connects a minute.
            let minute = Int64((id - 1) / 400) * 60
            #expect(servers.connect(id, of: tides, at: second(minute)) == nil)
        }
        #expect(servers.connect(2_501, of: tides, at: second(600)) == .tooManyConnections)
        servers.close(9)
        #expect(servers.connect(2_502, of: tides, at: second(601)) == nil)
    }
}
