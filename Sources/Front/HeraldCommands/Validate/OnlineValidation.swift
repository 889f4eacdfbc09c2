import Applying
import CampaignLoading
import CampaignModel
import Diagnostics
import Presentation
import RegistrationLists
import RunControl
import Time

/// Validates each message with FCM for `validate --online` and `apply --dry-run`.
///
/// Sends nothing.
struct OnlineValidation {
    let session: Session
    let project: Project
    let declarations: Declarations
    let allowsAnyServer: Bool
    /// The places of the project's lists.
    let lists: ProjectLists
    /// For the registrations in requests.
    let fingerprinter: Fingerprinter
    var isVerbose = false

    func findings(
        _ environment: CampaignModel.Environment
    ) async throws(CommandFailure) -> DiagnosticLog {
        let server = try await EndpointServer.reach(
            EndpointServer.Target(environment, of: project, allowsAnyServer: allowsAnyServer),
            in: session
        )
        let progress = ProgressReporter(
            options: session.options,
            context: session.context,
            isVerbose: isVerbose
        )
        let trial = MessageValidation(
            of: lists,
            settings: RunSettings(
                transport: progress.watching(server.transport, with: fingerprinter),
                endpoint: server.endpoint,
                clock: session.clock,
                stop: StopSignal()
            )
        )
        let result = await verdicts(trial)
        await server.stop()
        return try result.get().reduce(into: DiagnosticLog()) { log, verdict in
            log.report(Diagnostic.verdict(verdict, in: declarations).rewording(\.withoutSecrets))
        }
    }

    private func verdicts(
        _ trial: MessageValidation
    ) async -> Result<[MessageVerdict], CommandFailure> {
        do throws(ApplyError) {
            return .success(try await trial.verdicts(on: project.campaigns))
        } catch {
            return .failure(
                CommandFailure(.unansweredValidation(because: error.reason.withoutSecrets))
            )
        }
    }
}

extension ApplyError {
    /// The reason from the server or the operating system.
    fileprivate var reason: String {
        switch self {
        case .unreachable(let reason), .unanswered(let reason), .refused(let reason): reason
        case .state, .list, .recalled, .interrupted: ErrorText(self).message
        }
    }
}
