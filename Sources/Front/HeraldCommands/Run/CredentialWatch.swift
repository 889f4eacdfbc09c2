import CampaignModel
import Planning
import Presentation
import RateControl
import RunControl
import Service

/// Requests an access token now and then, so that a credential that no longer works is noticed before
/// the next send.
struct CredentialWatch {
    let run: DueRun

    /// The interval of checks while the credential works.
    private static let interval = Duration.seconds(300)
    /// The interval of checks while it does not.
    private static let retryInterval = Duration.seconds(30)

    /// Whether requests of the environment need a token of a credential.
    private var isNeeded: Bool {
        switch run.target.environment.endpoint {
        case .fcm, .emulator(_, _, _?): true
        case .embeddedEmulator, .emulator(_, _, nil), .unresolved: false
        }
    }

    /// Checks until the task is cancelled, and at once after each request to read the credential
    /// again.
    func perform() async {
        while !Task.isCancelled {
            let reloads = run.monitor.reloads
            let works = isNeeded ? await check() : true
            run.monitor.reloaded()
            let end = run.steady.now + (works ? Self.interval : Self.retryInterval)
            while run.steady.now < end, run.monitor.reloads == reloads, !Task.isCancelled {
                try? await Task.sleep(for: .seconds(1))
            }
        }
    }

    /// Returns whether there is an access token.
    private func check() async -> Bool {
        let target = EndpointServer.Target(
            run.target.environment,
            of: run.target.applied.project(with: []),
            open: OpenLimit(fixed: 1),
            allowsAnyServer: run.target.bypassed.contains(.endpoint)
        )
        do throws(CommandFailure) {
            let server = try await EndpointServer.reach(target, in: run.session)
            await server.stop()
            run.monitor.token(failure: nil)
            return true
        } catch {
            // Other failures concern windows, which report them.
            guard error.serviceProblem == .credential, !Task.isCancelled else { return true }
            run.monitor.token(failure: error.text)
            return false
        }
    }
}
