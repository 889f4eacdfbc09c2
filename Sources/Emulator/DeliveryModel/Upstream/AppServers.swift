/// An app server: a sender of a project.
package struct AppServer: Hashable, Sendable {
    /// The ID of the project; empty for the default project.
    package let project: String
    package let sender: String

    package init(project: String, sender: String) {
        self.project = project
        self.sender = sender
    }
}

/// The XMPP connections of app servers: a machine without a clock and without sockets.
///
/// Invariants: no connection has more than 100 unacknowledged messages. A message is on one
/// connection at a time. A connection that drains gets no messages.
package struct AppServers: Sendable {
    package enum Refusal: Hashable, Sendable {
        /// More than 400 connects of a project within 60 seconds.
        case tooManyConnects
        /// More than 2,500 connections of a project.
        case tooManyConnections
    }

    /// How many messages a server can take.
    package struct Room: Hashable, Sendable {
        /// The number after which they start.
        package let after: Int
        package let count: Int

        package init(after: Int, count: Int) {
            self.after = after
            self.count = count
        }
    }

    private struct Connection {
        let server: AppServer
        var isDraining = false
        /// The places of the unacknowledged messages, and the numbers of receipts.
        var unacknowledged: [UpstreamKey: [Int]] = [:]
        var count = 0
    }

    private var connections: [Int: Connection] = [:]
    /// The connections of each server, in the order in which they connected.
    private var order: [AppServer: [Int]] = [:]
    /// The place up to which the messages of a server were passed on.
    private var positions: [AppServer: Int] = [:]
    /// The messages of each project that are on a connection.
    private var assigned: [String: Set<Int>] = [:]
    private var connects: [String: RateLog] = [:]
    private static let connectLimit = RateLimit(
        messages: UpstreamRules.connectsPerMinute,
        interval: 60_000
    )

    package init() {}

    /// The servers that have connections, in a stable order.
    package var connected: [AppServer] {
        order.keys.sorted { ($0.project, $0.sender) < ($1.project, $1.sender) }
    }

    package func connectionCount(of project: String) -> Int {
        order.reduce(0) { $0 + ($1.key.project == project ? $1.value.count : 0) }
    }

    /// Admits a connection of an authenticated server; returns nil if it does.
    package mutating func connect(
        _ id: Int,
        of server: AppServer,
        at now: DeliveryMoment
    ) -> Refusal? {
        var log = connects[server.project] ?? RateLog([])
        guard log.room(within: Self.connectLimit, from: now) <= now else { return .tooManyConnects }
        log.add(at: now, now: now, keeping: Self.connectLimit.interval)
        connects[server.project] = log
        guard connectionCount(of: server.project) < UpstreamRules.connections else {
            return .tooManyConnections
        }
        connections[id] = Connection(server: server)
        order[server, default: []].append(id)
        return nil
    }

    /// Returns the messages of a closed connection to the queue; returns the numbers of its receipts.
    @discardableResult
    package mutating func close(_ id: Int) -> [Int] {
        guard let connection = connections.removeValue(forKey: id) else { return [] }
        let server = connection.server
        order[server]?.removeAll { $0 == id }
        if order[server]?.isEmpty == true { order[server] = nil }
        let numbers = connection.unacknowledged.values.flatMap(\.self)
        assigned[server.project]?.subtract(numbers)
        if let first = numbers.filter({ $0 > 0 }).min() {
            for other in positions.keys where other.project == server.project {
                positions[other] = min(positions[other] ?? 0, first - 1)
            }
        }
        return numbers.filter { $0 < 0 }
    }

    /// Continues after messages that are not for a server.
    package mutating func skip(to place: Int, for server: AppServer) {
        positions[server] = max(positions[server] ?? 0, place)
    }

    /// Forgets everything about a project that was dropped or replaced; returns its connections.
    package mutating func forget(_ project: String) -> [Int] {
        let ids = connections.filter { $0.value.server.project == project }.keys.sorted()
        for id in ids { connections[id] = nil }
        order = order.filter { $0.key.project != project }
        positions = positions.filter { $0.key.project != project }
        assigned[project] = nil
        return ids
    }

    /// Orders all connections of a project to drain, and returns them.
    package mutating func drain(_ project: String) -> [Int] {
        let draining = connections.filter { $0.value.server.project == project }.keys.sorted()
        for id in draining { connections[id]?.isDraining = true }
        return draining
    }

    /// Whether a draining connection has nothing left to acknowledge.
    package func isDrained(_ id: Int) -> Bool {
        connections[id].map { $0.isDraining && $0.count == 0 } ?? false
    }

    package func room(of server: AppServer) -> Room {
        let count = (order[server] ?? []).reduce(0) { $0 + room(on: $1) }
        return Room(after: positions[server] ?? 0, count: count)
    }

    private func room(on id: Int) -> Int {
        guard let connection = connections[id], !connection.isDraining else { return 0 }
        return UpstreamRules.unacknowledged - connection.count
    }

    /// Puts messages on the connections of a server, on the one with the fewest first.
    ///
    /// Messages for which there is no room stay in the queue.
    package mutating func assign(
        _ deliveries: [UpstreamDelivery],
        to server: AppServer
    ) -> [(connection: Int, delivery: UpstreamDelivery)] {
        var placed: [(connection: Int, delivery: UpstreamDelivery)] = []
        for delivery in deliveries {
            guard assigned[server.project]?.contains(delivery.place) != true else {
                positions[server] = delivery.place
                continue
            }
            guard let best = place(delivery.place, key: delivery.key, for: server) else { break }
            assigned[server.project, default: []].insert(delivery.place)
            positions[server] = delivery.place
            placed.append((best, delivery))
        }
        return placed
    }

    /// Puts a receipt, which has a negative number, on a connection of a server; returns nil if there is no
    /// room.
    package mutating func assign(
        receipt number: Int,
        key: UpstreamKey,
        to server: AppServer
    ) -> Int? {
        place(number, key: key, for: server)
    }

    private mutating func place(_ number: Int, key: UpstreamKey, for server: AppServer) -> Int? {
        let best = (order[server] ?? []).max { room(on: $0) < room(on: $1) }
        guard let best, room(on: best) > 0 else { return nil }
        connections[best]?.unacknowledged[key, default: []].append(number)
        connections[best]?.count += 1
        return best
    }

    /// Takes an acknowledgement; returns the number of the message, or nil if it was not on this
    /// connection.
    package mutating func acknowledge(_ key: UpstreamKey, on id: Int) -> Int? {
        guard let connection = connections[id], let number = connection.unacknowledged[key]?.first
        else { return nil }
        connections[id]?.unacknowledged[key]?.removeFirst()
        if connections[id]?.unacknowledged[key]?.isEmpty == true {
            connections[id]?.unacknowledged[key] = nil
        }
        connections[id]?.count -= 1
        assigned[connection.server.project]?.remove(number)
        return number
    }
}
