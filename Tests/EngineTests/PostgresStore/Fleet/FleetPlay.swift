import Fleet
import Testing

@testable import PostgresStore

/// Drives the machines of several processes on a server, in virtual time.
///
/// One event happens after the other, and the server's clock is that of the events.
struct FleetPlay {
    struct Process {
        var worker: WorkerMachine
        var writer: WriterMachine
        var isAlive = true
        var hasEnded: Bool { worker.hasLeft && writer.hasEnded }
        /// The claimed units, and the message IDs that are kept until the machine forgets them.
        var units: [WorkUnitID: WorkUnit] = [:]
        var names: [WorkUnitID: [Int: String]] = [:]

        var notes: [UnitNotes] {
            names.compactMap { id, names in units[id].map { UnitNotes(of: $0, messageIDs: names) } }
        }

        /// Later commands replace the time of an earlier wake.
        var wakes: [Duration?] = [nil, nil]
    }

    private struct Happening {
        let time: Duration
        let process: Int
        let isWriter: Bool
        let event: FleetEvent
    }

    private let scene: FleetScene
    private(set) var processes: [Process]
    private var happenings: [Happening] = []
    private(set) var now = Duration.seconds(100)
    /// How often each request of each unit left.
    private(set) var sends: [WorkUnitID: [Int: Int]] = [:]
    private(set) var notices: [FleetNotice] = []

    static let permits = 60

    init(_ count: Int, on scene: FleetScene) {
        self.scene = scene
        processes = (0..<count).map { number in
            Process(
                worker: WorkerMachine(
                    WorkerMachine.Settings(
                        units: 2,
                        ahead: 10,
                        maximumOpen: 20,
                        repeatsUnknown: false,
                        isSynchronous: false
                    ),
                    seed: UInt64(number) &* 77 &+ 1
                ),
                writer: WriterMachine(
                    WriterMachine.Settings(quota: 12_000, permits: Self.permits, unitSize: 50),
                    seed: UInt64(number) &* 99 &+ 5
                )
            )
        }
        for number in 0..<count {
            for isWriter in [false, true] {
                add(.time, to: number, isWriter: isWriter, at: now + .milliseconds(7 * number))
            }
        }
    }

    /// Plays until a time, or until nothing is left to do.
    mutating func play(until end: Duration) async throws {
        while let index = happenings.indices.min(by: {
            happenings[$0].time < happenings[$1].time
        }) {
            let next = happenings[index]
            guard next.time <= end else { break }
            happenings.remove(at: index)
            now = max(now, next.time)
            try await pass(next)
        }
        now = max(now, end)
    }

    mutating func kill(_ process: Int) { processes[process].isAlive = false }

    mutating func drain() {
        for number in processes.indices {
            for isWriter in [false, true] { add(.drain, to: number, isWriter: isWriter, at: now) }
        }
    }

    private mutating func add(
        _ event: FleetEvent,
        to process: Int,
        isWriter: Bool,
        at time: Duration
    ) {
        happenings.append(
            Happening(time: time, process: process, isWriter: isWriter, event: event)
        )
    }

    private mutating func pass(_ next: Happening) async throws {
        let number = next.process
        guard processes[number].isAlive, !processes[number].hasEnded else { return }
        if case .time = next.event, let wake = processes[number].wakes[next.isWriter ? 1 : 0],
            wake != next.time
        {
            return
        }
        note(next.event, for: number)
        let commands =
            next.isWriter
            ? processes[number].writer.receive(next.event, at: now)
            : processes[number].worker.receive(next.event, at: now)
        for command in commands {
            try await perform(command, for: number, isWriter: next.isWriter)
        }
    }

    /// Keeps what a driver needs for the notes of later transactions.
    private mutating func note(_ event: FleetEvent, for number: Int) {
        switch event {
        case .answered(_, .claimed(_, let claims)): add(claims, to: number)
        case .answered(_, .settled(_, let row?)): add(row.claims, to: number)
        case .sent(let result):
            let name = Self.name(of: result.request, in: result.unit)
            processes[number].names[result.unit, default: [:]][result.request] = name
        default: break
        }
    }

    private mutating func add(_ claims: [ClaimedUnit], to number: Int) {
        for claim in claims { processes[number].units[claim.unit.id] = claim.unit }
    }

    /// The message ID of a request.
    static func name(of request: Int, in unit: WorkUnitID) -> String {
        "projects/p/messages/\(unit.number)-\(request)"
    }

    private mutating func perform(
        _ command: FleetCommand,
        for number: Int,
        isWriter: Bool
    ) async throws {
        switch command {
        case .perform(let transaction, let ticket):
            let milliseconds = Int(now / .milliseconds(1))
            try scene.set(milliseconds: milliseconds)
            let event: FleetEvent =
                switch await scene.store.perform(transaction, notes: processes[number].notes) {
                case .answered(let answer): .answered(ticket, answer)
                case .failed(let failure, _): .failed(ticket, failure)
                }
            add(event, to: number, isWriter: isWriter, at: now + .milliseconds(3))
        case .send(let order):
            for request in order.requests {
                sends[order.unit, default: [:]][request, default: 0] += 1
                let result = SendResult(.accepted, to: request, of: order)
                let delay = Duration.milliseconds(40 + request % 7)
                add(.sent(result), to: number, isWriter: false, at: now + delay)
            }
        case .wake(let time):
            processes[number].wakes[isWriter ? 1 : 0] = time
            add(.time, to: number, isWriter: isWriter, at: time)
        case .report(let notice): notices.append(notice)
        case .forget(let unit): processes[number].names[unit] = nil
        }
    }
}
