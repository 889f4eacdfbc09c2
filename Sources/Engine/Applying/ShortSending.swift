package import CampaignModel
package import Planning
import RunControl
package import Sending
package import State
import Time

/// The plan of sends, and what delays them.
///
/// A class, because many sends share the plan, which is large.
package final class SendContext: Sendable {
    package let plan: Plan
    package let gate: SendGate

    package init(_ plan: Plan, gate: SendGate) {
        self.plan = plan
        self.gate = gate
    }
}

extension Applier {
    /// Sends one occurrence, and returns what it did.
    package func part(
        of send: SendStep,
        in context: SendContext,
        during run: RunID
    ) async -> ApplyReport {
        var part = ApplyReport()
        do throws(ApplyError) {
            try await start(send, behind: context.gate, in: run, of: context.plan, into: &part)
        } catch {
            part.error = error
        }
        return part
    }

    /// Returns the send if it may be started together with others.
    package func short(_ send: SendStep, in context: SendContext) -> ShortSend? {
        ShortSend(send, plannedAt: context.plan.now, now: settings.clock.now())
    }
}

/// Starts many short sends together.
package struct ShortSending: Sendable {
    /// A send with what a separate task needs.
    package struct Start: Sendable {
        /// Its position in the order of starts.
        let number: Int
        let send: ShortSend
        let context: SendContext

        package init(_ send: ShortSend, in context: SendContext, number: Int) {
            self.send = send
            self.context = context
            self.number = number
        }
    }

    /// What a send did.
    package struct End: Sendable {
        package let number: Int
        package let occurrence: OccurrenceID
        package let part: ApplyReport

        package init(number: Int, occurrence: OccurrenceID, part: ApplyReport) {
            self.number = number
            self.occurrence = occurrence
            self.part = part
        }
    }

    private let applier: Applier
    private let run: RunID
    private let gate: StartGate
    /// Gets the ends of sends that ended together; each send ends once.
    private let report: @Sendable ([End]) -> Void

    package init(
        _ applier: Applier,
        in run: RunID,
        through gate: StartGate,
        report: @escaping @Sendable ([End]) -> Void
    ) {
        self.applier = applier
        self.run = run
        self.gate = gate
        self.report = { ends in
            for end in ends { applier.active.end(end.occurrence) }
            report(ends)
        }
    }

    /// Starts the sends in batches, one after the other, and returns when all have ended.
    package func perform(_ starts: [Start]) async {
        // None of them has begun before, so none can be taken back yet.
        for start in starts { _ = applier.active.begin(start.send.step.occurrence) }
        let sends = starts.map(\.send)
        let starter = ShortStarter(applier.dispatcher, in: run)
        gate.begin()
        await withDiscardingTaskGroup { group in
            var ranges = ShortBatches.ranges(of: sends)[...]
            let first = ranges.popFirst() ?? 0..<0
            var next = await starter.prepare(sends[first])
            while !next.positions.isEmpty {
                let range = ranges.popFirst() ?? 0..<0
                // Reading the next lists takes as long as recording these sends.
                async let following = starter.prepare(sends[range])
                await start(next, of: starts, by: starter, in: &group)
                next = await following
            }
            gate.end()
        }
    }

    private func start(
        _ prepared: ShortStarter.Prepared,
        of starts: [Start],
        by starter: ShortStarter,
        in group: inout DiscardingTaskGroup
    ) async {
        await starter.waitForRoom(for: prepared)
        guard !gate.isClosed, !applier.settings.stop.isRaised else {
            endUnsent(starts[prepared.positions])
            return
        }
        do throws(StateStoreError) {
            let started = try await starter.start(prepared)
            if !started.isEmpty {
                group.addTask { await carryOut(started.batch(), of: starts) }
            }
            for position in started.others {
                group.addTask { await sendAlone(starts[position]) }
            }
        } catch {
            fail(starts[prepared.positions], because: error)
        }
    }

    /// Ends sends that were not started, because the run ends.
    private func endUnsent(_ starts: ArraySlice<Start>) {
        let isStopped = applier.settings.stop.isRaised
        let ends = starts.map { start in
            var part = ApplyReport()
            if isStopped { part.error = .interrupted }
            return end(start, part)
        }
        report(ends)
    }

    private func fail(_ starts: ArraySlice<Start>, because error: StateStoreError) {
        gate.close()
        let ends = starts.map { start in
            var part = ApplyReport()
            part.notBegun = -start.send.step.remaining
            part.error = .state(error)
            return end(start, part)
        }
        report(ends)
    }

    private func sendAlone(_ start: Start) async {
        let part = await applier.part(of: start.send.step, in: start.context, during: run)
        report([end(start, part)])
    }

    private func end(_ start: Start, _ part: ApplyReport) -> End {
        End(number: start.number, occurrence: start.send.step.occurrence, part: part)
    }
}

// MARK: - Batches

extension ShortSending {
    /// `starts`: those in which the positions of the batch's sends are.
    private func carryOut(_ batch: ShortBatch, of starts: [Start]) async {
        await withDiscardingTaskGroup { group in
            group.addTask { await batch.send() }
            group.addTask {
                await gate.wait()
                batch.hurry()
            }
            var loop = ShortLoop(batch)
            goOn(loop.begin(), of: starts, in: &group)
            await withDiscardingTaskGroup { ticking in
                ticking.addTask { await batch.tick() }
                while let handedOver = await loop.next() {
                    goOn(handedOver, of: starts, in: &group)
                    // The others need not wait for a slow answer.
                    if loop.isTick, gate.isFree {
                        await finish(loop.takeComplete(), of: batch, starts: starts)
                    }
                }
                ticking.cancelAll()
            }
            await gate.wait()
            await finish(loop.takeComplete(), of: batch, starts: starts)
        }
    }

    private func goOn(
        _ handedOver: [HandedOverSend],
        of starts: [Start],
        in group: inout DiscardingTaskGroup
    ) {
        for send in handedOver {
            let start = starts[send.position]
            group.addTask { await goOn(send, with: start) }
        }
    }

    private func goOn(_ handedOver: HandedOverSend, with start: Start) async {
        let result: Result<DispatchResult, ApplyError>
        do throws(StateStoreError) {
            result = .success(try await applier.dispatcher.drive(handedOver.started))
        } catch {
            result = .failure(.state(error))
        }
        report([await conclude(handedOver.sending, of: start, after: result)])
    }

    /// Records complete sends together.
    private func finish(
        _ complete: [CompleteSend],
        of batch: ShortBatch,
        starts: [Start]
    ) async {
        guard !complete.isEmpty else { return }
        do throws(StateStoreError) {
            try await applier.ledger.finish(complete.map(\.finishing), in: run)
        } catch {
            gate.close()
            batch.leave(complete, isRecorded: false)
            for send in complete {
                let start = starts[send.position]
                report([await conclude(send.sending, of: start, after: .failure(.state(error)))])
            }
            return
        }
        batch.leave(complete, isRecorded: true)
        let ends = complete.map { send in
            let sent = send.report
            applier.settings.report(.ended(.sending(sent.occurrence)))
            applier.settings.report(.sent(sent))
            var part = ApplyReport()
            part.notBegun = -starts[send.position].send.step.remaining
            part.sends = [sent]
            return end(starts[send.position], part)
        }
        report(ends)
    }

    private func conclude(
        _ sending: ActiveOccurrence,
        of start: Start,
        after result: Result<DispatchResult, ApplyError>
    ) async -> End {
        let step = start.send.step
        var part = ApplyReport()
        part.notBegun = -step.remaining
        do throws(ApplyError) {
            try await applier.conclude(
                DispatchedSend(step: step, sending: sending, result: result),
                in: run,
                of: start.context.plan,
                into: &part
            )
        } catch {
            part.error = error
        }
        return end(start, part)
    }
}

extension CompleteSend {
    fileprivate var finishing: FinishingOccurrence {
        FinishingOccurrence(
            unit: sending.unit.id,
            outcomes: outcomes,
            sending: RunOccurrence(occurrence: sending.occurrence, tally: tally),
            reached: reached
        )
    }

    fileprivate var report: SendReport {
        var report = SendReport(
            occurrence: sending.occurrence,
            target: sending.unit.target,
            tally: tally,
            rejected: [],
            unknown: []
        )
        report.optedOut = min(sending.skipped.optedOutCount, tally[.suppressed])
        return report
    }
}
