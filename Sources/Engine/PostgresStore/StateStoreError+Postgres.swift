import PostgresClient
import State
import StoreTables

extension StateStoreError {
    init(postgres error: any Error, path: String) {
        guard let error = error as? PostgresError else {
            self.init(storing: error, path: path)
            return
        }
        if case .refused(let place, "HRD03") = error {
            self = .moved(path: path, to: place)
        } else if case .refused(let message, let state?) = error, Self.isMissing(state) {
            self = .ofUnreleasedVersion(path: path, reason: message)
        } else if let problem = StateServerProblem(error) {
            self = .server(path: path, problem)
        } else if case .refused(let message, _) = error {
            self = .failed(path: path, reason: message)
        } else {
            self = .failed(path: path, reason: "the server's answer is unexpected")
        }
    }

    /// Whether a column, a table or a function does not exist.
    private static func isMissing(_ state: String) -> Bool {
        ["42703", "42P01", "42883"].contains(state)
    }
}

extension StateServerProblem {
    /// Nil for an error of a statement without a more specific class.
    init?(_ error: PostgresError) {
        switch error {
        case .noLibrary(let detail): self = .noLibrary(detail: detail)
        case .malformedAddress: self = .malformedAddress
        case .unreachable(let message): self.init(connecting: message)
        case .timedOut: self = .slow
        case .stopped: self = .cancelled(message: "the command was stopped")
        case .refused(let message, nil): self = .unreachable(message: message)
        case .refused(let message, let state?):
            guard let problem = StateServerProblem(message, state: state) else { return nil }
            self = problem
        }
    }

    /// libpq reports no code for problems of a connection that is being opened.
    private init(connecting message: String) {
        if message.contains("SSL") || message.contains("certificate") {
            self = .untrusted(message: message)
        } else if ["the database system is", "too many clients", "connection slots"]
            .contains(where: message.contains)
        {
            // The server starts, stops or is full, and accepts connections again later.
            self = .unreachable(message: message)
        } else if message.contains("FATAL:") || message.contains("no password supplied") {
            self = .rejected(message: message)
        } else {
            self = .unreachable(message: message)
        }
    }

    /// `state`: see PostgreSQL documentation, Error Codes.
    private init?(_ message: String, state: String) {
        switch state {
        case "HRD02": self = .lostLock
        case "25006": self = .readOnly
        case "53100": self = .diskFull
        case "57014", "55P03", "25P03": self = .cancelled(message: message)
        case "42501": self = .lacksPrivilege(message: message)
        default:
            guard state.hasPrefix("57P") || state.hasPrefix("08") || state.hasPrefix("53") else {
                return nil
            }
            self = .unreachable(message: message)
        }
    }
}

extension PostgresError {
    /// The SQLSTATE; nil without an answer.
    var state: String? {
        if case .refused(_, let state) = self { state } else { nil }
    }

    /// Whether the connection is of no use after it, and a commit that was sent may have happened.
    var isOfConnection: Bool {
        switch self {
        case .noLibrary, .malformedAddress, .unreachable, .stopped: false
        case .timedOut: true
        case .refused(_, let state):
            state.map { $0.hasPrefix("57P") || $0.hasPrefix("08") || $0 == "25P03" } ?? true
        }
    }
}
