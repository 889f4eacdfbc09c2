import FCMClient
package import Fleet
import HTTPTransport
import RateControl
package import RunControl
package import State
import Time

/// Performs the commands of one worker of a fleet: transactions, requests and timers (decision 75).
///
/// It sends what a service entrusted to the fleet, until it is told to stop.
package struct FleetDriver: Sendable {
    /// The connections of a worker, one for each lane.
    package struct Lanes: Sendable {
        let ledger: any FleetConnection
        let beats: any FleetConnection
        let slices: any FleetConnection
        let writer: any FleetConnection

        package init(_ make: (FleetTicket.Lane) -> any FleetConnection) {
            ledger = make(.ledger)
            beats = make(.beats)
            slices = make(.slices)
            writer = make(.writer)
        }

        subscript(lane: FleetTicket.Lane) -> any FleetConnection {
            switch lane {
            case .ledger: ledger
            case .beats: beats
            case .slices: slices
            case .writer: writer
            }
        }
    }

    /// What the fleet may do; the same for all its workers.
    package struct Limits: Hashable, Sendable {
        /// The sends of all workers in any 60 s.
        let quota: Int
        /// The requests of all workers that may be unknown after a crash.
        let permits: Int
        /// Whether commits wait for a standby.
        let isSynchronous: Bool

        package init(quota: Int, permits: Int, isSynchronous: Bool) {
            self.quota = quota
            self.permits = permits
            self.isSynchronous = isSynchronous
        }
    }

    /// How this worker sends, stops and reports.
    package struct Settings: Sendable {
        let transport: any Transport
        let endpoint: FCMEndpoint
        let clock: WallClock
        let stop: StopSignal
        /// How long open requests may take after a stop.
        let drainLimit: Duration
        /// The number of requests that may be open.
        let maximumOpen: Int
        let backoff: Backoff
        let report: @Sendable (FleetNotice) -> Void

        package init(
            _ settings: RunSettings,
            report: @escaping @Sendable (FleetNotice) -> Void
        ) {
            transport = settings.transport
            endpoint = settings.endpoint
            clock = settings.clock
            stop = settings.stop
            drainLimit = settings.drainLimit
            maximumOpen = settings.open.most
            backoff = settings.backoff
            self.report = report
        }
    }

    let lanes: Lanes
    let book: any FleetLedger
    let reader: any StateReader
    let limits: Limits
    let settings: Settings
    let clock = RunClock()

    /// The number of units that a worker has at the same time.
    private static let units = 2
    /// The number of requests between the sent ones and the mark, if the permits allow it.
    private static let ahead = 1_000

    package init(
        lanes: Lanes,
        store: any FleetLedger & StateReader,
        limits: Limits,
        settings: Settings
    ) {
        self.lanes = lanes
        book = store
        reader = store
        self.limits = limits
        self.settings = settings
    }

    /// Returns when the worker has left the fleet after a stop, or when it could not.
    package func perform() async {
        await withDiscardingTaskGroup { group in
            var loop = FleetLoop(self)
            await loop.run(&group)
            group.cancelAll()
        }
    }

    func worker() -> WorkerMachine {
        WorkerMachine(
            WorkerMachine.Settings(
                units: Self.units,
                ahead: Self.ahead,
                maximumOpen: settings.maximumOpen,
                repeatsUnknown: false,
                isSynchronous: limits.isSynchronous
            ),
            seed: .random(in: 0 ... .max)
        )
    }

    func writer() -> WriterMachine {
        WriterMachine(
            WriterMachine.Settings(
                quota: limits.quota,
                permits: limits.permits,
                unitSize: WorkUnit.standardCount
            ),
            seed: .random(in: 0 ... .max)
        )
    }

    // MARK: Tasks

    func perform(
        _ transaction: FleetTransaction,
        _ ticket: FleetTicket,
        notes: [UnitNotes],
        to inbox: FleetInbox
    ) async {
        let reply = await lanes[ticket.lane].perform(transaction, notes: notes)
        inbox.post(.replied(ticket, reply))
    }

    func send(
        _ order: SendOrder,
        of unit: WorkUnit,
        from source: RequestSource,
        to inbox: FleetInbox
    ) async {
        do throws(StateStoreError) {
            let requests = try await source.requests(order.requests.map { $0 + unit.first })
            let receiver = FleetReceiver(order, to: inbox)
            await settings.transport.send(requests, to: receiver)
        } catch {
            inbox.post(.unread(order, error))
        }
    }

    func learn(_ occurrence: OccurrenceNumber, to inbox: FleetInbox) async {
        do throws(StateStoreError) {
            let unit = UnitID(number: Int64(occurrence.number))
            let stored = try await book.terms(ofEntrusted: unit)
            inbox.post(.learned(occurrence, .success(stored.flatMap(FleetTerms.init(stored:)))))
        } catch {
            inbox.post(.learned(occurrence, .failure(error)))
        }
    }

    /// Tells the service why an occurrence must stop; tries again until the state has it.
    func report(_ problem: FleetProblem, of occurrence: OccurrenceNumber) async {
        while !Task.isCancelled {
            if await lanes.beats.stop(occurrence, because: problem.text) { return }
            try? await Task.sleep(for: .milliseconds(500))
        }
    }

    func renew(_ inbox: FleetInbox) async {
        do {
            try await settings.endpoint.bearer.renew()
            inbox.post(.renewed(failure: nil))
        } catch {
            inbox.post(.renewed(failure: error.reason))
        }
    }

    func source(of unit: WorkUnit, under terms: FleetTerms) -> RequestSource {
        let end = unit.first + unit.count
        return RequestSource(
            endpoint: settings.endpoint,
            target: .list(ListWindow(reader: reader, list: terms.list, inOrderTo: end)),
            message: terms.message,
            end: terms.end,
            clock: settings.clock
        )
    }
}
