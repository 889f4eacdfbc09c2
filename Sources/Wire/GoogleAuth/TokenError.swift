package import HTTPTransport

/// The reason why there is no access token.
package struct TokenError: Error, Hashable, Sendable {
    /// The step that failed.
    package enum Step: Hashable, Sendable {
        /// The token server, for a service account's signed assertion.
        case assertion
        /// The token server, for a person's refresh token.
        case refresh
        /// The external issuer, for an identity.
        case identity
        /// The Security Token Service, for that identity.
        case federation
        /// IAM, for a token of another account.
        case impersonation
        /// The machine's metadata server.
        case machine
    }

    package enum Cause: Hashable, Sendable {
        case unsigned
        case unreachable(TransportError)
        /// The server's own code and message (RFC 6749, section 5.2).
        case refused(code: String, description: String?)
        /// An answer that is not from a token server.
        case unexpected(status: Int)
        /// A file or an answer without an identity.
        case noIdentity(String)
        case noMachine
    }

    package let step: Step
    package let cause: Cause

    package init(step: Step, cause: Cause) {
        self.step = step
        self.cause = cause
    }

    package var explanation: String {
        switch cause {
        case .unsigned: "the key cannot sign"
        case .unreachable(let error): "\(step.server) cannot be reached: \(error.detail)"
        case .refused(let code, let description):
            step.preface + code + (description.map { ": \($0)" } ?? "")
        case .unexpected(let status): "\(step.server) answered \(status) without a token"
        case .noIdentity(let reason): reason
        case .noMachine: "there is no metadata server"
        }
    }

    package var advice: String {
        switch cause {
        case .unsigned: "create a new key for the account"
        case .unreachable(let error) where error.reason == .failedTLS:
            "if a proxy intercepts TLS, set SSL_CERT_FILE to its certificate authority"
        case .unreachable: "check the network and the proxy variables"
        case .unexpected: step.advice
        case .noIdentity:
            "allow the build to request identities (in GitHub Actions: permissions with "
                + "`id-token: write`), and check credential_source"
        case .noMachine:
            "log in with `gcloud auth application-default login`, or name a key file in "
                + "GOOGLE_APPLICATION_CREDENTIALS"
        case .refused(let code, let description): advice(for: code, description: description ?? "")
        }
    }

    private func advice(for code: String, description: String) -> String {
        switch step {
        case .assertion: Self.assertionAdvice(for: code, description: description)
        case .refresh where code == "invalid_grant":
            "log in again with `gcloud auth application-default login`"
        case .refresh: "create the file again with `gcloud auth application-default login`"
        case .federation where code == "invalid_target":
            "make sure that the pool and its provider exist and are enabled"
        case .federation where code == "unauthorized_client":
            "change the provider's attribute condition, or use an identity that it allows"
        case .federation where code == "invalid_grant":
            "make sure that the provider has this issuer and allows this audience"
        case .impersonation where code == "NOT_FOUND": "make sure that the account exists"
        case .impersonation:
            "give the identity roles/iam.workloadIdentityUser, or an account "
                + "roles/iam.serviceAccountTokenCreator, on the impersonated account"
        case .federation, .identity, .machine: "try again later"
        }
    }

    private static func assertionAdvice(for code: String, description: String) -> String {
        switch code {
        case "invalid_grant" where description.contains("iat"): "correct this computer's clock"
        case "invalid_grant" where description.contains("Signature"):
            "the key was deleted or replaced: create a new one for the account"
        case "invalid_grant" where description.contains("account not found"):
            "the account was deleted: use the key of an existing account"
        case "invalid_grant", "invalid_client", "unauthorized_client":
            "make sure that the account and its key are enabled"
        default: "try again later"
        }
    }
}

extension TokenError.Step {
    fileprivate var server: String {
        switch self {
        case .assertion, .refresh: "the token server"
        case .identity: "the identity provider"
        case .federation: "the Security Token Service"
        case .impersonation: "IAM"
        case .machine: "the metadata server"
        }
    }

    /// The first part of the message: it names the server that refused, except for the first two
    /// steps.
    fileprivate var preface: String {
        switch self {
        case .assertion, .refresh: ""
        case .identity, .federation, .impersonation, .machine: server + " refuses: "
        }
    }

    fileprivate var advice: String {
        switch self {
        case .assertion, .refresh: "check that token_uri in the file names a token server"
        case .identity: "check the url and the headers of credential_source"
        case .federation: "check that token_url names the Security Token Service"
        case .impersonation: "check service_account_impersonation_url"
        case .machine: "give the machine a service account"
        }
    }
}
