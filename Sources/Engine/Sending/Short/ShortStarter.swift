import CampaignMessages
import CampaignModel
import Planning
import RateControl
import RegistrationLists
import RunControl
package import State
import Time

/// Opens short sends together and releases their requests.
///
/// - Invariant: An occurrence that is not started together with the others has no record, no place
///   and no claim.
package struct ShortStarter: Sendable {
    private let dispatcher: Dispatcher
    private let run: RunID

    package init(_ dispatcher: Dispatcher, in run: RunID) {
        self.dispatcher = dispatcher
        self.run = run
    }

    /// The sends that were started, and the others.
    package struct Started: Sendable {
        fileprivate let drafts: [Draft]
        /// Their records.
        fileprivate let units: [StartedUnit]
        fileprivate let dispatcher: Dispatcher
        /// The positions of the sends that need separate tasks.
        package let others: [Int]

        /// Whether no send was started.
        package var isEmpty: Bool { drafts.isEmpty }

        /// Returns the sends that were started, with their requests; to be called once.
        package func batch() -> ShortBatch {
            var lanes = zip(drafts, units).compactMap { $0.lane(of: $1) }
            let events: [DispatchMachine.Event] =
                dispatcher.settings.stop.isRaised ? [.recorded, .stop] : [.recorded]
            let commands = dispatcher.paces.share { shared, now in
                lanes.indices.map { index in
                    let seat = lanes[index].seat
                    return shared.pass(events, to: &lanes[index].machine, at: seat, now: now)
                }
            }
            return ShortBatch(lanes, performing: commands, by: dispatcher)
        }
    }

    /// An occurrence that is not opened yet.
    fileprivate struct Draft: Sendable {
        let position: Int
        let send: ShortSend
        let page: ListPage
        let end: Instant
        let skipped: SkippedRequests
        let starting: StartingOccurrence
        var machine: DispatchMachine
        /// Nil until its requests may be released.
        var seat: SharedSends.Seat?

        /// The mark that releases all of its requests.
        var mark: Int { starting.released }
    }

    /// Sends whose lists were read.
    package struct Prepared: Sendable {
        fileprivate let sends: ArraySlice<ShortSend>
        /// Those that can be sent, in order.
        fileprivate let drafts: [Draft]

        /// The positions of the sends.
        package var positions: Range<Int> { sends.indices }
    }

    /// Reads what the sends need.
    package func prepare(_ sends: ArraySlice<ShortSend>) async -> Prepared {
        Prepared(sends: sends, drafts: await drafts(of: sends))
    }

    /// - Throws: If the sends could not be recorded; then none of their requests is sent.
    package func start(_ prepared: Prepared) async throws(StateStoreError) -> Started {
        let sends = prepared.sends
        var drafts = await unhindered(prepared.drafts)
        let admitted = admitted(of: sends)
        drafts.removeAll { !admitted.contains($0.position) }
        release(&drafts)
        drafts.removeAll { $0.seat == nil }
        let units = try await open(drafts)
        let positions = Set(drafts.map(\.position))
        return Started(
            drafts: drafts,
            units: units,
            dispatcher: dispatcher,
            others: sends.indices.filter { !positions.contains($0) }
        )
    }

    /// Waits for answers to other requests, until this many more may be open.
    ///
    /// Otherwise, the occurrences would be handed over, which takes more time. If answers take longer
    /// than a second, or after a stop, it returns.
    package func waitForRoom(for prepared: Prepared) async {
        let settings = dispatcher.settings
        let count = prepared.sends.reduce(0) { $0 + $1.count }
        for _ in 0..<Self.mostLooks where count <= settings.open.most {
            let open = dispatcher.paces.share { shared, _ in shared.open }
            guard open + count > settings.open.most, !settings.stop.isRaised else { return }
            try? await Task.sleep(for: Self.lookInterval)
        }
    }

    private static let lookInterval = Duration.milliseconds(5)
    private static let mostLooks = 200

    /// Returns those that are not paused and not in quiet hours now; none if the state cannot be read,
    /// which is then reported for each send.
    private func unhindered(_ drafts: [Draft]) async -> [Draft] {
        guard let pauses = try? await dispatcher.stores.control.pauses() else { return [] }
        let now = dispatcher.settings.clock.now()
        return drafts.filter { draft in
            let step = draft.send.step
            return step.hold?.interrupts(at: now) != true
                && pauses.pause(of: step.occurrence.campaign) == nil
        }
    }

    /// Returns the positions of the first sends, which the pace admits now.
    private func admitted(of sends: ArraySlice<ShortSend>) -> Range<Int> {
        let counts = sends.map(\.count)
        var left = dispatcher.paces.share { shared, now in
            shared.admitted(of: counts.reduce(0, +), now: now)
        }
        let first = counts.prefix { count in
            left -= count
            return left >= 0
        }
        return sends.startIndex..<sends.startIndex + first.count
    }

    /// Returns those that can be sent; none if the state cannot be read, which is then reported for
    /// each send.
    private func drafts(of sends: ArraySlice<ShortSend>) async -> [Draft] {
        guard !sends.isEmpty else { return [] }
        let dead: DeadRegistrations
        let optedOut: DeadRegistrations
        let pages: [ListPage]
        do throws(StateStoreError) {
            let skipping = dispatcher.stores.deadRegistrations
            dead = try await skipping.skippedRegistrations(among: sends.flatMap(\.living))
            let skipsNone = dead.isEmpty && sends.allSatisfy(\.step.dead.isEmpty)
            optedOut = skipsNone ? .none : try await skipping.optedOut()
            pages = try await dispatcher.stores.reader
                .beginnings(of: sends.map(\.list), count: ShortSend.mostRequests + 1)
        } catch {
            return []
        }
        let dispatcher = dispatcher
        return zip(sends.indices, pages).compactMap { (position, page) -> Draft? in
            let send = sends[position]
            guard page.rows.count == send.count else { return nil }
            let skipped = SkippedSets(all: dead, optedOut: optedOut)
            return Draft(send, at: position, page: page, skipping: skipped, by: dispatcher)
        }
    }

    /// Gives places to the occurrences that release all of their requests at once.
    private func release(_ drafts: inout [Draft]) {
        dispatcher.paces.share { shared, now in
            for index in drafts.indices {
                let seat = shared.join()
                let commands = shared.pass(
                    [.begin],
                    to: &drafts[index].machine,
                    at: seat,
                    now: now
                )
                if ShortStep.mark(in: commands) == drafts[index].mark {
                    drafts[index].seat = seat
                } else {
                    // Nothing was recorded.
                    shared.leave(seat, isRecorded: true)
                }
            }
        }
    }

    /// Records the occurrences.
    private func open(_ drafts: [Draft]) async throws(StateStoreError) -> [StartedUnit] {
        guard !drafts.isEmpty else { return [] }
        do throws(StateStoreError) {
            return try await dispatcher.stores.ledger.start(drafts.map(\.starting), in: run)
        } catch {
            dispatcher.paces.share { shared, _ in
                for seat in drafts.compactMap(\.seat) { shared.leave(seat, isRecorded: false) }
            }
            throw error
        }
    }
}

/// The registrations that sends skip.
private struct SkippedSets {
    let all: DeadRegistrations
    let optedOut: DeadRegistrations
}

extension ShortStarter.Draft {
    fileprivate init(
        _ send: ShortSend,
        at position: Int,
        page: ListPage,
        skipping known: SkippedSets,
        by dispatcher: Dispatcher
    ) {
        self.position = position
        self.send = send
        self.page = page
        end = send.step.template.end(due: send.due)
        var numbers = send.step.dead
        if !known.all.isEmpty {
            var living = RequestRanges([0..<send.count]).subtracting(numbers)
            let all = living.takeFirst(send.count)
            numbers += zip(all, send.living).filter { known.all.contains($1) }.map(\.0)
            numbers.sort()
        }
        let optedOut =
            known.optedOut.isEmpty
            ? []
            : numbers.filter { number in
                let registration = page.rows[number].registration
                let fingerprint = dispatcher.fingerprinter.fingerprint(of: registration)
                return known.optedOut.contains(fingerprint)
            }
        skipped = SkippedRequests(
            dead: optedOut.isEmpty ? numbers : numbers.filter { !optedOut.contains($0) },
            optedOut: optedOut
        )
        let requests = skipped.without(from: RequestRanges([0..<send.count]))
        starting = StartingOccurrence(
            send,
            skipping: skipped,
            released: requests.all.last?.upperBound ?? 0
        )
        machine = dispatcher.machine(
            for: DispatchSubject(
                requests: requests,
                policy: send.step.policy,
                trial: WrongListDetector(
                    count: send.count - skipped.count,
                    acknowledged: send.step.policy.acknowledgedDead
                ),
                end: end
            )
        )
    }

    fileprivate func lane(of started: StartedUnit) -> ShortLane? {
        guard let seat else { return nil }
        var rest = skipped
        _ = rest.take(below: mark)
        let sending = ActiveOccurrence(
            occurrence: send.step.occurrence,
            due: send.due,
            unit: started.unit,
            requests: RequestRanges([0..<send.count]),
            skipped: skipped,
            message: send.step.template,
            policy: send.step.policy,
            trial: nil,
            hold: send.step.hold
        )
        return ShortLane(
            position: position,
            sending: sending,
            page: page,
            end: end,
            seat: seat,
            notes: started.notes,
            machine: machine,
            skipped: rest,
            objective: ObjectiveWatch(of: sending)
        )
    }
}

extension StartingOccurrence {
    /// `mark`: releases all requests of the send.
    fileprivate init(_ send: ShortSend, skipping skipped: SkippedRequests, released mark: Int) {
        var skipped = skipped
        let step = send.step
        self.init(
            OpenedOccurrence(
                id: step.occurrence,
                due: send.due,
                message: step.template.stored,
                target: .registrations(send.list),
                count: send.count,
                deduplicationKey: step.deduplicationKey?.text,
                objective: step.policy.objective,
                keptUntil: step.listKept(from: send.due)
            ),
            outcomes: skipped.take(below: mark),
            released: mark
        )
    }
}
