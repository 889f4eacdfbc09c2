import CryptoExtras
import FoundationEssentials
import HTTPTransport
import JSON
import Synchronization

/// A service account's file with a key that was created for this run.
enum RobotFile {
    static let key = try? _RSA.Signing.PrivateKey(keySize: .bits2048)

    static let members: JSONObject = [
        "type": "service_account", "project_id": "demo", "private_key_id": "key-1",
        "private_key": .string(key?.pkcs8PEMRepresentation ?? ""),
        "client_email": "robot@demo.iam.gserviceaccount.com",
        "token_uri": "https://oauth2.googleapis.com/token",
    ]

    /// Returns the file with some members changed; nil removes one.
    static func bytes(_ changes: [String: JSONValue?] = [:]) -> [UInt8] {
        var members = members
        for (name, value) in changes { members[name] = value }
        return JSONValue.object(members).compactBytes
    }
}

/// Gives the same answer to every request, and records the requests.
final class CannedTransport: Transport {
    private let result: Result<HTTPAnswer, TransportError>
    private let requests = Mutex<[HTTPRequest]>([])

    init(_ result: Result<HTTPAnswer, TransportError>) {
        self.result = result
    }

    convenience init(status: Int, _ body: String) {
        self.init(.success(HTTPAnswer(status: status, body: Array(body.utf8))))
    }

    var seen: [HTTPRequest] { requests.withLock { $0 } }

    func prepare(_ url: String) async throws(TransportError) {}

    func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPAnswer {
        requests.withLock { $0.append(request) }
        return try result.get()
    }
}
