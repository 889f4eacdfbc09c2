import Upstream

/// A set of connections with a clock that a test moves.
struct SetRun {
    var machine: ConnectionSet<String>
    var now = Duration.zero
    private(set) var last = Commands([])

    init(count: Int, seed: UInt64 = 7) {
        machine = ConnectionSet(count: count, seed: seed)
    }

    /// With all connections open.
    init(open count: Int) {
        self.init(count: count)
        for id in begin().connects { _ = send(.connected(id)) }
    }

    var closes: [Int] { last.closes }

    func id(_ number: Int) -> ConnectionID { ConnectionID(number: number) }

    mutating func begin() -> Commands { send(.timer) }

    mutating func send(_ event: ConnectionSet<String>.Event) -> Commands {
        last = Commands(machine.receive([event], at: now))
        return last
    }

    mutating func receive(_ messages: [String], on number: Int) -> Commands {
        let deliveries = messages.map { message in
            UpstreamDelivery(
                on: id(number),
                message: message,
                acknowledgement: Acknowledgement(registration: "r", messageID: message)
            )
        }
        last = Commands(machine.receive(deliveries.map { .received($0) }, at: now))
        return last
    }

    mutating func commit(_ batch: Int) -> Commands { send(.committed(batch: batch)) }

    mutating func pass(_ time: Duration) -> Commands {
        now += time
        return send(.timer)
    }

    /// Follows the timers to the next connect.
    mutating func untilConnect() -> ConnectionID {
        while true {
            now = machine.nextTimer(at: now) ?? now
            if let id = send(.timer).connects.first { return id }
        }
    }
}

/// The commands of a set, by kind.
struct Commands {
    private(set) var connects: [ConnectionID] = []
    private(set) var closes: [Int] = []
    private(set) var aborts: [Int] = []
    private(set) var commits: [UpstreamBatch<String>] = []
    private(set) var notices: [ConnectionSet<String>.Notice] = []
    /// The message IDs, by the number of the connection.
    private(set) var acknowledged: [Int: [String]] = [:]

    init(_ commands: [ConnectionSet<String>.Command]) {
        for command in commands {
            switch command {
            case .connect(let id): connects.append(id)
            case .close(let id): closes.append(id.number)
            case .abort(let id): aborts.append(id.number)
            case .commit(let batch): commits.append(batch)
            case .acknowledge(let id, let list):
                acknowledged[id.number, default: []] += list.map(\.messageID)
            case .report(let notice): notices.append(notice)
            }
        }
        // The opening of connections is not what these tests are about.
        notices.removeAll { if case .opened = $0 { true } else { false } }
    }
}
