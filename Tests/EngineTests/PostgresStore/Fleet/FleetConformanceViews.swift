import CampaignModel
import Fleet
import State

@testable import FleetSimulation

// What the model of the simulation and a server must have in common.

struct NamedRequest: Hashable {
    let occurrence: Int
    let request: Int
}

extension UnitRow {
    var namedRequests: [NamedRequest] {
        names.indices.filter { names[$0] > 0 }.map {
            NamedRequest(occurrence: unit.occurrence.number, request: unit.first + $0)
        }
    }
}

enum FleetReplyView: Equatable {
    case answered(FleetAnswer)
    case failed(FleetFailure)
}

struct WorkerView: Equatable {
    let id: WorkerID
    let incarnation: Int
    let commits: Int
    let timeline: Int
    let suspect: Int?
    let permits: Int
    let losses: Int
}

extension WorkerView {
    init(_ row: WorkerRow) {
        self.init(
            id: row.id,
            incarnation: row.incarnation,
            commits: row.commits,
            timeline: row.timeline,
            suspect: row.suspectOn,
            permits: row.permits,
            losses: row.losses
        )
    }
}

struct UnitView: Equatable {
    let id: Int
    let owner: WorkerID?
    let fence: ClaimFence
    let mark: Int
    let doubledMark: Int
    let isFinished: Bool
    let records: [AttemptRecord]
}

extension UnitView {
    init(_ row: UnitRow) {
        self.init(
            id: row.unit.id.number,
            owner: row.owner,
            fence: row.fence,
            mark: row.mark,
            doubledMark: row.doubledMark,
            isFinished: row.isFinished,
            records: row.records
        )
    }
}

/// The outcome of one request.
struct RecordedRequest: Comparable {
    let request: Int
    let outcome: Outcome

    init(_ request: Int, _ outcome: Outcome) {
        self.request = request
        self.outcome = outcome
    }

    static func < (left: Self, right: Self) -> Bool { left.request < right.request }
}

extension Outcome {
    init(_ outcome: OccurrenceRow.Outcome) {
        switch outcome {
        case .returned: self = .returned
        case .unknown: self = .unknown
        case .rejected: self = .rejected
        case .accepted: self = .accepted
        case .suppressed: self = .suppressed
        }
    }
}

struct OccurrenceView: Equatable {
    /// State, whether it is held, whether it is recalled, and its first unit; nil if it has left the fleet.
    let row: [Int]?
    /// Requests that were not sent are returned.
    let record: [Outcome]

    init(row: [Int]?, record: [Outcome]) {
        self.row = row
        self.record = record
    }

    init(_ occurrence: OccurrenceRow) {
        let first = FleetSequence.occurrences[occurrence.uncut.number.number].uncut
        record = (0..<first.count).map { occurrence.record[$0].map(Outcome.init) ?? .returned }
        let flags = [occurrence.isHeld, occurrence.isRecalled].map { $0 ? 1 : 0 }
        switch occurrence.state {
        case .planned: row = [0] + flags + [occurrence.uncut.firstUnit]
        case .stored: row = [1] + flags + [occurrence.uncut.firstUnit]
        case .open: row = [2] + flags + [occurrence.uncut.firstUnit]
        case .left: row = nil
        }
    }
}

// MARK: - Answers

extension FleetAnswer {
    /// The answer with positions of 0, and with lists in one order.
    var withoutPositions: Self {
        switch self {
        case .registered(let server): .registered(server.withoutPositions)
        case .beat(let beat):
            .beat(
                BeatAnswer(
                    server: beat.server.withoutPositions,
                    incarnation: beat.incarnation,
                    straggler: beat.straggler
                )
            )
        case .divided(nil): self
        case .asked(let server, let slice): .asked(server.withoutPositions, slice)
        case .committed(let server, let lost): .committed(server.withoutPositions, lost: lost)
        case .claimed(let server, let claims): .claimed(server.withoutPositions, claims)
        case .lateAnswersAdded(let server, let dropped):
            .lateAnswersAdded(server.withoutPositions, dropped: dropped)
        case .settled(let server, let row): .settled(server.withoutPositions, row)
        case .restored(let server, let taken):
            .restored(server.withoutPositions, taken: taken.sorted())
        case .struckOff(let server): .struckOff(server.withoutPositions)
        case .left(let server): .left(server.withoutPositions)
        case .writer(let server, let fence): .writer(server.withoutPositions, fence)
        case .divided(let division?):
            .divided(
                DivisionAnswer(
                    server: division.server.withoutPositions,
                    rows: division.rows,
                    uncut: division.uncut,
                    isConfirmed: division.isConfirmed,
                    rest: division.rest
                )
            )
        case .omitted(let server, let omitted): .omitted(server.withoutPositions, omitted)
        case .writerEnded(let server): .writerEnded(server.withoutPositions)
        case .cut(let server): .cut(server.withoutPositions)
        case .opened(let server): .opened(server.withoutPositions)
        }
    }
}

extension ServerState {
    var withoutPositions: Self {
        ServerState(timeline: timeline, position: LogPosition(0), safe: LogPosition(0))
    }
}
