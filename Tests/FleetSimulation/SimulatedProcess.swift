import Fleet

/// A process with its machines and its clock.
struct SimulatedProcess: Sendable {
    let slot: Int
    /// Raised when the process ends, so that its events end too.
    var life = 0
    var worker: WorkerMachine?
    var writer: WriterMachine?
    var pauseEnd = 0
    var partitionEnd = 0
    /// When its clock was 0, and how fast it is, in millionths.
    var start = 0
    var rate = 1_000_000
    var armed = Int.max
    /// The number of failovers before the server that it last heard from.
    var knownGeneration = 0
    /// The accepted requests whose message IDs the driver keeps.
    var names: [WorkUnitID: Set<Int>] = [:]

    func clock(at time: Int) -> Duration {
        .nanoseconds((time - start) * rate / 1_000_000)
    }

    func time(of clock: Duration) -> Int {
        start + clock.inNanoseconds * 1_000_000 / rate + 1_000
    }
}

extension Duration {
    var inNanoseconds: Int {
        let parts = components
        return Int(parts.seconds) * 1_000_000_000 + Int(parts.attoseconds / 1_000_000_000)
    }
}

extension SimulatedProcess {
    func names(of units: [WorkUnitID]) -> [WorkUnitID: Set<Int>] {
        let wanted = Set(units)
        return names.filter { wanted.contains($0.key) }
    }
}

/// A transaction on its way.
struct SimulatedRequest: Sendable {
    let slot: Int
    let life: Int
    let ticket: FleetTicket
    let transaction: FleetTransaction
    let submitted: Int
    let generation: Int
    /// The accepted requests whose message IDs are stored with their outcomes.
    var names: [WorkUnitID: Set<Int>] = [:]
    var snapshot: ModelDatabase?
    var answer: FleetAnswer?
    var failure = FleetFailure.inDoubt
    /// Whether the worker has an answer, or has given up.
    var isOver = false
    var losesAnswer = false
    /// Whether a former primary performs it.
    var isAtFormer = false
    var hasWarning = false
}

/// A request on its way to its recipient.
struct SimulatedSend: Sendable {
    let slot: Int
    let life: Int
    let order: SendOrder
    let request: Int
    let answer: SendResult.Answer
    let isAccepted: Bool
    let delay: Int
}

/// Something that goes wrong.
struct SimulatedTrouble: Sendable {
    enum Kind: Sendable {
        case crash
        case pause(Int)
        case partition(Int, of: Int)
        case drain
        case cut
        case failOver(down: Int)
        case clockJump(Int)
        case recall
        case limit(rest: Int, open: Int, of: Int)
    }

    let kind: Kind
    let slot: Int
}
