import Applying
import CampaignLoading
import CampaignModel
import Presentation
import Diagnostics
import RegistrationLists
import Time

/// Validates each message with FCM for `validate --online` and `apply --dry-run`.
///
/// Sends nothing.
struct OnlineTrial {
    let pipeline: Pipeline
    let project: Project
    let declarations: Declarations
    let allowsAnyServer: Bool
    /// For the registrations in requests.
    let fingerprinter: Fingerprinter
    var isVerbose = false

    func findings(
        _ environment: CampaignModel.Environment
    ) async throws(CommandFailure) -> DiagnosticLog {
        let server = try await EndpointServer.reach(
            environment,
            of: project,
            needed: true,
            allowsAnyServer: allowsAnyServer,
            pipeline
        )
        let teller = RunTeller(pipeline.options, pipeline.surroundings, isVerbose: isVerbose)
        let trial = MessageTrial(
            transport: teller.watching(server.transport, fingerprinter),
            endpoint: server.endpoint,
            projectDirectory: pipeline.options.directory,
            now: pipeline.surroundings.clock.now()
        )
        let result = await verdicts(trial)
        await server.stop()
        return try result.get().reduce(into: DiagnosticLog()) { log, verdict in
            log.report(Diagnostic.verdict(verdict, declarations).rewording(\.withoutSecrets))
        }
    }

    private func verdicts(
        _ trial: MessageTrial
    ) async -> Result<[MessageVerdict], CommandFailure> {
        do throws(ApplyError) {
            return .success(try await trial.verdicts(on: project.campaigns))
        } catch {
            return .failure(
                CommandFailure(
                    "FCM could not be asked: \(TextStyle.safe(error.reason.withoutSecrets))",
                    help: "nothing was sent or recorded; mend the cause and ask again"
                )
            )
        }
    }
}

extension ApplyError {
    /// The reason from the server or the operating system.
    fileprivate var reason: String {
        switch self {
        case .unreachable(let reason), .unanswered(let reason), .refused(let reason): reason
        case .state, .list, .interrupted: ErrorText(self).message
        }
    }
}
