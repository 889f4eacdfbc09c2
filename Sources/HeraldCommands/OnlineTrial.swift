import CampaignExecution
import CampaignLoading
import CampaignModel
import CampaignReporting
import CurlTransport
import Diagnostics
import Scheduling

/// `validate --online` and `apply --dry-run`: what FCM says of each message, sending nothing.
struct OnlineTrial {
    let pipeline: Pipeline
    let project: Project
    let declarations: Declarations

    func findings(
        _ environment: CampaignModel.Environment
    ) async throws(CommandFailure) -> DiagnosticLog {
        let server = try await EndpointServer.reach(
            environment,
            of: project,
            needed: true,
            pipeline
        )
        let transport = CurlTransport()
        let trial = MessageTrial(
            transport: transport,
            endpoint: server.endpoint,
            projectDirectory: pipeline.options.directory,
            now: pipeline.surroundings.clock.now()
        )
        let result = await verdicts(trial)
        await transport.shutdown()
        await server.stop()
        return try result.get().reduce(into: DiagnosticLog()) { log, verdict in
            log.report(.verdict(verdict, declarations))
        }
    }

    private func verdicts(
        _ trial: MessageTrial
    ) async -> Result<[MessageVerdict], CommandFailure> {
        do throws(ApplyError) {
            return .success(try await trial.verdicts(on: project.campaigns))
        } catch {
            return .failure(CommandFailure(ErrorText(error)))
        }
    }
}
