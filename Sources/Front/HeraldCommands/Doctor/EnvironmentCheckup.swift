import CampaignLoading
import CampaignModel
import Diagnostics
import FCMClient
import FoundationEssentials
import PostgresStore
import Preflight
import Presentation
import RegistrationLists
import State
import StoreTables
import Time

/// Checks one environment, from the project's files to FCM's answers.
struct EnvironmentCheckup {
    let session: Session
    let options: EnvironmentOptions
    /// Whether to allow endpoints other than Google and localhost.
    let allowsAnyServer: Bool
    let show: ([CheckupFinding]) -> Void
    private(set) var findings: [CheckupFinding] = []

    init(
        session: Session,
        options: EnvironmentOptions,
        allowsAnyServer: Bool,
        show: @escaping ([CheckupFinding]) -> Void
    ) {
        self.session = session
        self.options = options
        self.allowsAnyServer = allowsAnyServer
        self.show = show
    }

    mutating func perform() async throws(CommandFailure) {
        guard let (project, environment) = try checkFiles() else {
            return skip(after: .files, because: SkippedChecksWording.invalidFiles)
        }
        for finding in await stateFindings(environment) { note(finding) }
        let credential: CredentialSummary
        do throws(CommandFailure) {
            credential = try CredentialSummary(of: environment.endpoint, in: session)
        } catch {
            note(CheckupFinding(.credentials, error: error.text))
            return skip(after: .credentials, because: SkippedChecksWording.noCredential)
        }
        for finding in await credential.findings(in: project, variables: session.context.variables)
        {
            note(finding)
            if finding.verdict == .problem {
                return skip(
                    after: finding.check,
                    because: SkippedChecksWording.unusableCredential
                )
            }
        }
        let server: EndpointServer
        do throws(CommandFailure) {
            server = try await EndpointServer.reach(
                EndpointServer.Target(environment, of: project, allowsAnyServer: allowsAnyServer),
                in: session
            )
        } catch {
            note(CheckupFinding(.token, error: error.text))
            return skip(after: .token, because: SkippedChecksWording.noToken)
        }
        note(.ok(.token, seen: CredentialWording.token(validFor: server.tokenLife)))
        await checkService(at: server, of: environment, in: project)
        await server.stop()
    }

    private mutating func checkService(
        at server: EndpointServer,
        of environment: CampaignModel.Environment,
        in project: Project
    ) async {
        let checkup = ServiceCheckup(
            transport: server.transport,
            endpoint: server.endpoint,
            clock: environment.endpoint.account == nil
                ? session.clock : session.context.systemClock
        )
        let result = await checkup.perform()
        let isReached = result.findings.first?.verdict != .problem
        var registered: String?
        if case .fcm = environment.endpoint, isReached,
            let registration = firstRegistration(of: project)
        {
            registered = await checkup.sender(of: registration)
        }
        note(
            SenderCheck.finding(
                configured: environment.endpoint.account?.senderID,
                named: result.projectNumber,
                registered: registered,
                needsIt: environment.endpoint.account != nil && project.hasGroups
            )
        )
        note(
            ProxyCheck.finding(for: server.endpoint.messaging, variables: session.context.variables)
        )
        for finding in result.findings { note(finding) }
    }

    /// The first registration of any list, for looking up its project's number.
    ///
    /// Never printed.
    private func firstRegistration(of project: Project) -> String? {
        for list in project.lists {
            guard
                var reader = try? RegistrationReader(list, directory: session.options.directory)
            else { continue }
            while let entry = try? reader.next() {
                if case .registration(let first) = entry { return first.token }
            }
        }
        return nil
    }
}

// MARK: - Recording findings

extension EnvironmentCheckup {
    private mutating func note(_ finding: CheckupFinding) {
        findings.append(finding)
        show([finding])
    }

    /// Marks the checks after `check`, up to memberships, as skipped.
    private mutating func skip(after check: CheckupFinding.Check, because reason: String) {
        let all = CheckupFinding.Check.allCases
        let rest = all.drop { $0 != check }.dropFirst().prefix { $0 != .devices }
            .filter { $0 != .standbys && $0 != .workers }
        let skipped = rest.map { CheckupFinding.skipped($0, because: reason) }
        findings += skipped
        show(skipped)
    }
}

// MARK: - Files and state

extension EnvironmentCheckup {
    private mutating func checkFiles() throws(CommandFailure) -> (
        Project, CampaignModel.Environment
    )? {
        let session = session
        let loaded =
            options.id.map { session.load(for: $0).refusingUnbuilt(for: $0) } ?? session.load()
        let checked = session.check(loaded, key: .passing)
        note(
            .files(
                campaigns: checked.project?.campaigns.count ?? 0,
                errors: checked.log.errorCount,
                warnings: checked.log.diagnostics.count { $0.severity == .warning }
            )
        )
        guard let project = checked.project else { return nil }
        return (project, try options.environment(of: project))
    }

    /// The ones after the first are about the standbys of a state's server, and its workers.
    private func stateFindings(
        _ environment: CampaignModel.Environment
    ) async -> [CheckupFinding] {
        var others: [CheckupFinding] = []
        do throws(CommandFailure) {
            let gate = try session.stateGate(environment)
            let isThere = try await mapStateErrors { () async throws(StateStoreError) in
                try await gate.address.isThere()
            }
            guard isThere || gate.required != nil else {
                try environment.refuseUnnamedState(nil)
                return [missingFinding(gate.address)]
            }
            let store = try await session.openStore(environment)
            if let server = store as? PostgresStore { others = [await finding(of: server)] }
            others += await workers(of: store)
            try await lock(store)
            let identity = try await mapStateErrors { () async throws(StateStoreError) in
                try await store.identity()
            }
            try environment.refuseUnnamedState(identity.lineage)
            return [.state(at: gate.address.name, serial: identity.serial)] + others
        } catch {
            let verdict: CheckupFinding.Verdict = error.exit == .locked ? .warning : .problem
            return [CheckupFinding(.state, verdict: verdict, error: error.text)] + others
        }
    }

    private func finding(of server: PostgresStore) async -> CheckupFinding {
        do throws(StateStoreError) {
            return .standbys(try await server.standbys())
        } catch {
            return CheckupFinding(.standbys, error: ErrorText(error))
        }
    }

    private func workers(of store: any TableStore) async -> [CheckupFinding] {
        do throws(StateStoreError) {
            return CheckupFinding.workers(try await store.fleet().workers)
        } catch {
            return [CheckupFinding(.workers, error: ErrorText(error))]
        }
    }

    /// Acquires and releases the lock, and reports its holder if it is held.
    private func lock(_ store: any TableStore) async throws(CommandFailure) {
        let worker = Worker.this(
            command: "herald doctor",
            since: session.clock.now()
        )
        do {
            try await store.lock(for: worker, waiting: .zero)
        } catch {
            if case .locked = error { throw CommandFailure(ErrorText(error), exit: .locked) }
            throw CommandFailure(ErrorText(error))
        }
        await store.unlock()
    }

    private func missingFinding(_ address: StateAddress) -> CheckupFinding {
        guard let path = address.path else { return .noState(at: address.name) }
        let folder = session.options.directory + "/" + Session.stateFolder
        let files = FileManager.default
        let home = files.fileExists(atPath: folder) ? folder : session.options.directory
        guard files.isWritableFile(atPath: home) else { return .unwritableState(in: home) }
        return .noState(at: path)
    }
}

extension Project {
    fileprivate var hasGroups: Bool {
        campaigns.contains { if case .group = $0.target { true } else { false } }
    }
}

extension CampaignModel.Environment.Endpoint {
    var account: FCMAccount? {
        if case .fcm(let account) = self { account } else { nil }
    }
}
