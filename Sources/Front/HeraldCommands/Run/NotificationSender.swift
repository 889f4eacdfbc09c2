import HTTPTransport
import RunControl
import Service
import Synchronization
import Time

/// Performs the commands of a `NotificationMachine`.
///
/// A class, because notifications occur while others are posted. Nothing waits for it, except the end
/// of the process.
final class NotificationSender: Sendable {
    private let webhook: Webhook
    private let transport: any ClosableTransport
    /// The clock of signatures: always the real one, because receivers compare it with theirs.
    private let clock: WallClock
    private let steady = RunClock()
    private let report: Report
    private let machine = Mutex(NotificationMachine())

    /// Takes what happened, one call at a time.
    typealias Report = @Sendable (NotificationMachine.Note) -> Void

    init(
        to webhook: Webhook,
        over transport: any ClosableTransport,
        clock: WallClock,
        report: @escaping Report
    ) {
        self.webhook = webhook
        self.transport = transport
        self.clock = clock
        self.report = report
    }

    /// The number of notifications that are not delivered.
    var waitingCount: Int { machine.withLock(\.waitingCount) }

    /// Starts to deliver a notification, and returns at once.
    func send(_ notification: ServiceNotification) { receive(.occurred(notification)) }

    /// Tries to deliver what waits, once, and closes the connection.
    func finish(within limit: Duration) async {
        receive(.stop)
        let end = steady.now + limit
        while !machine.withLock(\.isIdle), steady.now < end {
            try? await Task.sleep(for: .milliseconds(20))
        }
        await transport.shutdown()
    }

    private func receive(_ event: NotificationMachine.Event) {
        let now = steady.now
        let commands = machine.withLock { machine in
            let commands = machine.receive(event, at: now)
            // Before the machine is seen as idle, because the process may end then.
            for case .report(let note) in commands { report(note) }
            return commands
        }
        for command in commands { perform(command) }
    }

    private func perform(_ command: NotificationMachine.Command) {
        switch command {
        case .post(let notification):
            Task { receive(.answered(await answer(to: notification))) }
        case .wake(let pause):
            Task {
                try? await Task.sleep(for: pause)
                receive(.time)
            }
        case .report: break
        }
    }

    private func answer(to notification: ServiceNotification) async -> WebhookAnswer {
        let request = webhook.request(for: notification, at: clock.now().secondsSince1970)
        do {
            return WebhookAnswer(try await transport.send(request))
        } catch {
            return WebhookAnswer(error)
        }
    }
}
