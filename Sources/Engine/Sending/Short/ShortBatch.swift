import CampaignModel
import FCMClient
import HTTPTransport
import Planning
import RunControl
import State
import Time

/// Short occurrences whose requests are released, with these requests.
package struct ShortBatch: Sendable {
    let dispatcher: Dispatcher
    let lanes: [ShortLane]
    /// The commands of each occurrence that the batch does not perform.
    let left: [Int: [DispatchMachine.Command]]
    let inbox: ShortInbox
    private let requests: [NumberedRequest]

    /// The interval of ticks.
    private static let interval = Duration.seconds(1)

    /// `commands`: those of each occurrence.
    init(
        _ lanes: [ShortLane],
        performing commands: [[DispatchMachine.Command]],
        by dispatcher: Dispatcher
    ) {
        self.dispatcher = dispatcher
        self.lanes = lanes
        let paces = dispatcher.paces
        inbox = ShortInbox(notes: lanes.map(\.notes)) { count in
            paces.share { shared, _ in shared.arrived(count) }
        }
        let moment = dispatcher.settings.clock.now()
        let endpoint = dispatcher.settings.endpoint
        var requests: [NumberedRequest] = []
        var left: [Int: [DispatchMachine.Command]] = [:]
        for (index, commands) in commands.enumerated() {
            guard case .send(let numbers) = ShortStep(commands),
                let encoded = try? lanes[index].requests(numbers, to: endpoint, at: moment)
            else {
                left[index] = commands
                continue
            }
            for (number, request) in zip(numbers, encoded) {
                let number = ShortInbox.number(of: number, in: index)
                requests.append(NumberedRequest(number: number, request: request))
            }
        }
        self.requests = requests
        self.left = left
    }

    /// Sends the requests, and returns after the last answer.
    ///
    /// Answers for occurrences that were handed over go to their loops. When the run must end, the
    /// requests may take as long as those loops wait.
    package func send() async {
        guard !requests.isEmpty else { return }
        let (settings, inbox, requests) = (dispatcher.settings, inbox, requests)
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await settings.transport.send(requests, to: inbox) }
            group.addTask {
                await waitForEnd()
                try? await Task.sleep(for: settings.drainLimit)
            }
            await group.next()
            group.cancelAll()
        }
    }

    /// Returns after a stop, when an occurrence of the run could not be recorded, or when the task is
    /// cancelled.
    private func waitForEnd() async {
        let (paces, stop) = (dispatcher.paces, dispatcher.settings.stop)
        while !Task.isCancelled, !paces.share({ shared, _ in shared.hasFailed }) {
            do throws(ApplyError) { try await stop.pause(for: Self.interval) } catch { return }
        }
    }

    /// Lets the loop know that time has passed, until a stop or until the task is cancelled.
    package func tick() async {
        while !Task.isCancelled {
            do throws(ApplyError) {
                try await dispatcher.settings.stop.pause(for: Self.interval)
                inbox.tick()
            } catch {
                return inbox.stop()
            }
        }
    }

    /// Lets the loop judge answers as soon as they arrive.
    ///
    /// Until then, successful ones wait for other events.
    package func hurry() { inbox.hurry() }

    /// Ends the claims of complete occurrences.
    ///
    /// `isRecorded`: whether their outcomes are durable.
    package func leave(_ complete: [CompleteSend], isRecorded: Bool) {
        dispatcher.paces.share { shared, _ in
            for send in complete { shared.leave(send.seat, isRecorded: isRecorded) }
        }
    }
}

extension ShortLane {
    fileprivate func requests(
        _ numbers: [Int],
        to endpoint: FCMEndpoint,
        at moment: Instant
    ) throws(StateStoreError) -> [HTTPRequest] {
        let message = try EncodedMessage(
            sending.message,
            end: end,
            to: endpoint,
            for: page.shape,
            at: moment
        )
        var requests: [HTTPRequest] = []
        requests.reserveCapacity(numbers.count)
        for number in numbers {
            requests.append(try message.request(to: page.rows[number], in: page.shape))
        }
        return requests
    }
}
