import CampaignModel
import GoogleAuth
import HTTPTransport
import Presentation
import Text

/// The credential for a Firebase project's requests.
struct GoogleCredentials {
    let credential: Credential
    /// The place where the credential was found, for messages.
    let source: String

    /// What a credential is for.
    enum Purpose {
        /// `allowsAnyServer`: whether `--dangerous-endpoint` is given.
        case fcm(allowsAnyServer: Bool)
        case emulator
    }

    /// Finds the credential that `herald.yaml` refers to.
    ///
    /// The operator chooses who sends, and where proofs of identity go; the project's files do not.
    init(
        _ credentials: FCMAccount.Credentials,
        for purpose: Purpose,
        in session: Session
    ) throws(CommandFailure) {
        let variables = session.context.variables
        switch credentials {
        case .file(let path):
            let isAbsolute = path.hasPrefix("/")
            let full = isAbsolute ? path : session.options.directory + "/" + path
            try session.trust.requirePath(full)
            let name = TextStyle.safe(path)
            if case .fcm = purpose {
                try Self.refuseTracked(full, named: name, variables: variables)
                guard !session.trust.isInProject(full) else {
                    throw CommandFailure(.credentialInProjectFile(name), exit: .refusedByGuard)
                }
            }
            try self.init(file: full, named: name)
            guard !credential.hasOutsideSource else {
                throw CommandFailure(.sourceInProjectCredential(name), exit: .refusedByGuard)
            }
        case .variable(let name):
            guard let text = variables[name], !text.isEmpty else {
                throw CommandFailure(.unsetKeyVariable(name))
            }
            try self.init(Array(text.utf8), named: name)
        case .applicationDefault:
            let place = ApplicationDefault(variables: variables)
            if case .fcm = purpose, case .named(let path) = place {
                let name = TextStyle.safe(path)
                try Self.refuseTracked(path, named: name, variables: variables)
            }
            try self.init(place)
        }
        if case .fcm(let allowsAnyServer) = purpose, !allowsAnyServer {
            try refuseForeignTokenHosts(session.trust)
        }
    }

    /// Refuses a file that the Git repository around it contains.
    private static func refuseTracked(
        _ path: String,
        named name: String,
        variables: [String: String]
    ) throws(CommandFailure) {
        guard GitWorkTree.tracks(path, variables: variables) else { return }
        throw CommandFailure(.trackedCredential(name), exit: .refusedByGuard)
    }

    private func refuseForeignTokenHosts(_ trust: Trust) throws(CommandFailure) {
        for url in credential.tokenURLs {
            guard let server = ServerAddress(of: url) else { continue }
            let isKnown =
                server.isGoogles || server.isLoopback || server.host == "accounts.google.com"
            guard isKnown || trust.allows(host: server.host) else {
                throw CommandFailure(
                    .untrustedTokenHost(server.host, in: source),
                    exit: .refusedByGuard
                )
            }
        }
    }

    private init(_ credential: Credential, from source: String) {
        self.credential = credential
        self.source = source
    }

    private init(_ place: ApplicationDefault) throws(CommandFailure) {
        switch place {
        case .named(let path):
            let variable = "GOOGLE_APPLICATION_CREDENTIALS"
            guard !path.hasPrefix("{"), Credential.keyShape(of: Array(path.utf8)) == nil else {
                throw CommandFailure(.keyInFileVariable(variable))
            }
            try self.init(file: path, named: "\(TextStyle.safe(path)) (\(variable))")
        case .gcloud(let path): try self.init(file: path, named: TextStyle.safe(path))
        case .machine(let server):
            self.init(.machine(server), from: CredentialWording.metadataServer)
        case .nothing(let path):
            throw CommandFailure(.noDefaultCredentials(at: path))
        }
    }

    private init(file path: String, named name: String) throws(CommandFailure) {
        try self.init(try KeyFile(path).contents(), named: name)
    }

    private init(_ contents: [UInt8], named name: String) throws(CommandFailure) {
        do throws(CredentialError) {
            credential = try Credential(json: contents)
        } catch {
            throw CommandFailure(
                .unusableCredential(in: name, because: error.explanation, help: error.advice)
            )
        }
        source = name
    }
}

extension GoogleCredentials {
    /// Fails at once if no metadata server exists.
    ///
    /// Otherwise each request would wait for it.
    func refuseMissingMachine(_ transport: any Transport) async throws(CommandFailure) {
        guard case .machine(let server) = credential else { return }
        guard await server.isThere(over: transport) else {
            throw CommandFailure(.noMetadataServer)
        }
    }

    /// Refuses a credential that belongs to another project than the environment.
    func refuseOtherProject(
        than account: FCMAccount,
        variables: [String: String],
        over transport: any Transport
    ) async throws(CommandFailure) {
        guard let (id, place) = await project(variables: variables, over: transport),
            id != account.projectID,
            id.isNumber == account.projectID.isNumber
        else { return }
        throw CommandFailure(.credentialOfOtherProject(id, at: place, than: account.projectID))
    }

    /// The credential's project, searched in the order that Google's libraries use.
    private func project(
        variables: [String: String],
        over transport: any Transport
    ) async -> (id: String, place: String)? {
        for name in ["GOOGLE_CLOUD_PROJECT", "GCLOUD_PROJECT"] {
            if let id = variables[name], !id.isEmpty { return (id, name) }
        }
        if let id = credential.projectID { return (id, source) }
        guard case .machine(let server) = credential else { return nil }
        return await server.projectID(over: transport).map { ($0, source) }
    }

    /// The project that Google charges quota to for a user's credential.
    ///
    /// Google refuses such requests without one.
    func quotaProject(of account: FCMAccount, variables: [String: String]) -> String? {
        guard credential.isPersonal else { return nil }
        if let project = variables["GOOGLE_CLOUD_QUOTA_PROJECT"], !project.isEmpty {
            return project
        }
        return credential.quotaProject ?? account.projectID
    }
}

extension String {
    /// Whether this is a project number, which cannot be compared with a project ID.
    fileprivate var isNumber: Bool { utf8.allSatisfy(\.isASCIIDigit) }
}
