import GoogleAuth
import HTTPServing
import HTTPTransport
import Inbox
import Listening
import Presentation

/// Receives messages over HTTP.
struct IntakeServer {
    private let receiver: HTTPReceiver
    private let intake: HTTPIntake
    /// With the actual port.
    let url: String

    private static let path = "/v1/upstream/messages"
    /// Larger bodies are not read; those up to here are refused by name.
    private static let longestBody = 65_536

    init(
        _ options: IntakeOptions,
        of intake: HTTPIntake
    ) async throws(CommandFailure) {
        self.intake = intake
        let identity = options.certificate.flatMap { certificate in
            options.certificateKey.map {
                HTTPReceiver.Identity(certificate: certificate, key: $0)
            }
        }
        let configuration = HTTPReceiver.Configuration(
            host: options.host,
            port: options.port,
            identity: identity,
            longestBody: Self.longestBody
        )
        let host = options.host.contains(":") ? "[\(options.host)]" : options.host
        let address = "\(identity == nil ? "http" : "https")://\(host)"
        do throws(HTTPReceiver.Failure) {
            receiver = try await HTTPReceiver.start(configuration) { request in
                await Self.answer(to: request, by: intake)
            }
        } catch {
            switch error {
            case .addressInUse:
                throw CommandFailure(.addressInUse("\(address):\(options.port)"))
            case .cannotListen(let reason):
                throw CommandFailure(
                    .cannotListen(on: "\(address):\(options.port)", because: reason)
                )
            case .unusableFile(let path, let reason):
                throw CommandFailure(.unusableIdentity(path, because: reason))
            }
        }
        url = "\(address):\(receiver.port)\(Self.path)"
    }

    /// Accepts no message that is not stored yet, and answers those that are.
    func drain() async {
        await intake.stop()
        await receiver.close()
    }

    func stop() async { await receiver.stop() }

    private static func answer(
        to request: ReceivedRequest,
        by intake: HTTPIntake
    ) async -> HTTPAnswer {
        guard request.path == path else { return page(.unknownPath(path)) }
        guard request.method == "POST" else { return page(.wrongMethod) }
        let answer = await intake.answer(
            to: HTTPIntake.Request(body: request.body, proof: proof(of: request))
        )
        return page(IntakeAnswerView(answer))
    }

    private static func proof(of request: ReceivedRequest) -> HTTPIntake.Proof? {
        if let signature = request.header("Herald-Signature"),
            let time = request.header("Herald-Timestamp")
        {
            return .signature(signature, time: time)
        }
        guard let value = request.header("Authorization"),
            value.lowercased().hasPrefix("bearer ")
        else { return nil }
        return .token(String(value.dropFirst(7)))
    }

    private static func page(_ view: IntakeAnswerView) -> HTTPAnswer {
        let type = HTTPHeader(name: "Content-Type", value: IntakeAnswerView.contentType)
        return HTTPAnswer(
            status: view.status,
            headers: [type] + view.headers.map { HTTPHeader(name: $0.name, value: $0.value) },
            body: Array(view.body.utf8)
        )
    }
}
