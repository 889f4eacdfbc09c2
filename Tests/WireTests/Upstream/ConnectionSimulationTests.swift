import Testing
import Upstream

/// Servers, networks and stores that do everything that may happen, in random orders.
struct ConnectionSimulationTests {
    @Test(arguments: 1...200)
    func `lose and invent nothing in random orders`(seed: Int) {
        var world = UpstreamWorld(seed: UInt64(seed), messages: 400)
        world.play()
        #expect(world.problems.isEmpty, "\(world.problems.prefix(3))")
        #expect(world.unacknowledged.isEmpty)
        #expect(world.stored.count == 400)
    }
}

/// A server with messages for an app server, a store, and the connections between them.
struct UpstreamWorld {
    private struct Link {
        var isDraining = false
        /// Sent and not acknowledged, in order.
        var sent: [String] = []
        var isOpen = false
    }

    private var machine: ConnectionSet<String>
    private var random: SplitMix
    private var now = Duration.zero
    private var links: [ConnectionID: Link] = [:]
    private var commit: UpstreamBatch<String>?
    /// Messages of the server that are on no connection.
    private var queue: [String]
    private(set) var unacknowledged: Set<String>
    private(set) var stored: Set<String> = []
    private(set) var problems: [String] = []
    private var steps = 0
    private var starts: [Duration] = []

    init(seed: UInt64, messages: Int) {
        machine = ConnectionSet(count: 1 + Int(seed % 5), seed: seed)
        random = SplitMix(state: seed)
        queue = (1...messages).map { "m\($0)" }
        unacknowledged = Set(queue)
    }

    /// Ends when the server has an acknowledgement for each message.
    mutating func play() {
        perform(machine.receive([.timer], at: now))
        while !unacknowledged.isEmpty, steps < 200_000 {
            steps += 1
            step()
        }
        if !unacknowledged.isEmpty { problems.append("no progress in \(steps) steps") }
    }

    private mutating func step() {
        let open = links.filter { $0.value.isOpen }.keys.sorted()
        let connecting = links.filter { !$0.value.isOpen }.keys.sorted()
        switch random.below(100) {
        case 0..<45: if let id = open.randomElement(using: &random) { sendSome(on: id) }
        case 45..<65: finishCommit()
        case 65..<80: if let id = connecting.randomElement(using: &random) { answer(id) }
        case 80..<82: if let id = open.randomElement(using: &random) { cut(id) }
        case 82..<84: if let id = open.randomElement(using: &random) { drain(id) }
        default: passTime()
        }
    }

    private mutating func sendSome(on id: ConnectionID) {
        guard var link = links[id], !link.isDraining || random.below(4) == 0 else { return }
        var events: [ConnectionSet<String>.Event] = []
        for _ in 0..<(1 + random.below(40)) where link.sent.count < 100 && !queue.isEmpty {
            let message = queue.removeFirst()
            link.sent.append(message)
            events.append(.received(delivery(of: message, on: id)))
        }
        links[id] = link
        perform(machine.receive(events, at: now))
    }

    private func delivery(of message: String, on id: ConnectionID) -> UpstreamDelivery<String> {
        UpstreamDelivery(
            on: id,
            message: message,
            acknowledgement: Acknowledgement(registration: "r", messageID: message)
        )
    }

    /// A failed commit may have stored the messages.
    private mutating func finishCommit() {
        guard let batch = commit else { return }
        commit = nil
        let fails = random.below(5) == 0
        if !fails || random.below(2) == 0 { stored.formUnion(batch.deliveries.map(\.message)) }
        let event: ConnectionSet<String>.Event =
            fails ? .notCommitted(batch: batch.number) : .committed(batch: batch.number)
        perform(machine.receive([event], at: now))
    }

    private mutating func answer(_ id: ConnectionID) {
        switch random.below(4) {
        case 0: end(id, .unreachable(reason: "refused"))
        default:
            links[id]?.isOpen = true
            perform(machine.receive([.connected(id)], at: now))
        }
    }

    private mutating func cut(_ id: ConnectionID) { end(id, .cut(reason: "reset")) }

    private mutating func drain(_ id: ConnectionID) {
        links[id]?.isDraining = true
        perform(machine.receive([.draining(id)], at: now))
    }

    private mutating func end(_ id: ConnectionID, _ end: ConnectionEnd) {
        guard let link = links.removeValue(forKey: id) else { return }
        queue = link.sent + queue
        perform(machine.receive([.ended(id, end)], at: now))
    }

    private mutating func passTime() {
        let timer = machine.nextTimer(at: now)
        if let timer, random.below(2) == 0 {
            now = max(now, timer)
        } else {
            now += .milliseconds(random.below(2_000))
        }
        perform(machine.receive([.timer], at: now))
    }

    private mutating func perform(_ commands: [ConnectionSet<String>.Command]) {
        for command in commands { perform(command) }
        if machine.openCount > 5 { problems.append("\(machine.openCount) open connections") }
    }

    private mutating func perform(_ command: ConnectionSet<String>.Command) {
        switch command {
        case .connect(let id):
            if links[id] != nil { problems.append("\(id) connects twice") }
            links[id] = Link()
            starts.append(now)
            if starts.count > 400, now - starts[starts.count - 401] < .seconds(60) {
                problems.append("more than 400 connects in a minute")
            }
        case .close(let id), .abort(let id): end(id, .closedHere)
        case .commit(let batch):
            if commit != nil { problems.append("two commits at once") }
            commit = batch
        case .acknowledge(let id, let list):
            for item in list { acknowledge(item.messageID, on: id) }
        case .report: break
        }
    }

    private mutating func acknowledge(_ message: String, on id: ConnectionID) {
        if !stored.contains(message) { problems.append("\(message) is not stored") }
        guard let position = links[id]?.sent.firstIndex(of: message) else {
            return problems.append("\(message) was not sent on \(id.number)")
        }
        links[id]?.sent.remove(at: position)
        unacknowledged.remove(message)
    }
}

/// A random number generator with a seed (Steele, Lea and Flood, 2014).
struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    mutating func below(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &self) }
}
