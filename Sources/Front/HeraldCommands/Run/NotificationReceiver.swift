import CampaignModel
import Planning
import Presentation
import Service
import Synchronization
import Time

/// The webhook of an environment, which an apply may change while a service runs.
///
/// A class, because the service's threads share it.
final class NotificationReceiver: Sendable {
    private struct Current {
        /// Nil if the environment has no webhook.
        var settings: NotifySettings?
        /// Nil also if the settings cannot be used.
        var sender: NotificationSender?
    }

    private let project: ProjectID
    private let report: NotificationSender.Report
    private let current: Mutex<Current>

    /// How long the notifications for a former webhook are delivered.
    private static let flushLimit = Duration.seconds(10)

    /// - Throws: The problem of the settings, if the process requires that they can be used.
    init(
        of target: AppliedTarget,
        in session: Session,
        isRequired: Bool,
        report: @escaping NotificationSender.Report
    ) throws(CommandFailure) {
        project = target.applied.project.id
        self.report = report
        let environment = target.environment
        var sender: NotificationSender?
        do throws(CommandFailure) {
            sender = try Self.sender(of: environment, of: project, in: session, report: report)
        } catch {
            guard !isRequired else { throw error }
            Output.message(ErrorTextView(style: session.options.errorStyle).render(error.text))
        }
        current = Mutex(Current(settings: environment.settings.notify, sender: sender))
    }

    private static func sender(
        of environment: CampaignModel.Environment,
        of project: ProjectID,
        in session: Session,
        report: @escaping NotificationSender.Report
    ) throws(CommandFailure) -> NotificationSender? {
        guard let settings = environment.settings.notify else { return nil }
        let source = NotificationSource(project: project, environment: environment.id)
        let webhook = try Webhook(settings, from: source, in: session)
        let transport = session.context.openTransport(try .init(parallelism: 1, session: session))
        return NotificationSender(
            to: webhook,
            over: transport,
            clock: session.context.systemClock,
            report: report
        )
    }

    /// Uses the webhook of the last apply.
    ///
    /// - Throws: The problem of changed settings; nothing is then sent until they change again.
    func use(
        _ environment: CampaignModel.Environment,
        in session: Session
    ) throws(CommandFailure) {
        let settings = environment.settings.notify
        let isSame = current.withLock { $0.settings == settings }
        guard !isSame else { return }
        let new: Result<NotificationSender?, CommandFailure>
        do throws(CommandFailure) {
            new = .success(
                try Self.sender(of: environment, of: project, in: session, report: report)
            )
        } catch {
            new = .failure(error)
        }
        let former = current.withLock { current in
            defer { current = Current(settings: settings, sender: (try? new.get()) ?? nil) }
            return current.sender
        }
        if let former { Task { await former.finish(within: Self.flushLimit) } }
        _ = try new.get()
    }

    /// The number of notifications that are not delivered.
    var waitingCount: Int { sender?.waitingCount ?? 0 }

    func send(_ notification: ServiceNotification) { sender?.send(notification) }

    /// Delivers what waits, as far as it can be delivered within this time.
    func finish(within limit: Duration) async { await sender?.finish(within: limit) }

    private var sender: NotificationSender? { current.withLock(\.sender) }
}
