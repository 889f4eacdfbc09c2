package import CampaignModel
package import GoogleAuth
package import Inbox
package import Time

/// Decides about the messages that a server or an app posts.
///
/// An actor, because requests arrive on several threads and share the limits.
package actor HTTPIntake {
    /// A request for the messages' path.
    package struct Request: Sendable {
        let body: [UInt8]
        let proof: Proof?

        package init(body: [UInt8], proof: Proof?) {
            self.body = body
            self.proof = proof
        }
    }

    /// What a request shows to prove its origin.
    package enum Proof: Sendable {
        /// The values of two headers.
        case signature(String, time: String)
        case token(String)
    }

    package enum Answer: Hashable, Sendable {
        /// The message is stored, now or before.
        case stored(id: String, isDuplicate: Bool)
        case refused(Refusal)
    }

    package enum Refusal: Hashable, Sendable {
        /// There is no proof, or none of a kind that this listener accepts.
        case noProof
        case signature(RequestSignature.Failure)
        case token(IdentityTokens.Failure)
        case message(UpstreamMessageError)
        /// Another message has the same sender, registration and ID.
        case conflict(id: String)
        case tooMany(seconds: Int64)
        case notStored
        case stopping

        /// A stable word for answers and metrics.
        package var name: String {
            switch self {
            case .noProof: "no_proof"
            case .signature(.wrongForm): "invalid_signature_form"
            case .signature(.wrongTime): "signature_time"
            case .signature(.wrongSignature): "wrong_signature"
            case .signature(.replayed): "replayed"
            case .token(let failure): failure.name
            case .message(let error): error.name
            case .conflict: "conflicting_content"
            case .tooMany: "too_many_messages"
            case .notStored: "not_stored"
            case .stopping: "stopping"
            }
        }
    }

    /// What an intake needs of its surroundings.
    package struct Setting: Sendable {
        let sender: SenderID
        let hasher: InboxHasher
        let writer: InboxWriter
        let tokens: IdentityTokens?
        let clock: WallClock

        /// `tokens`: nil if tokens are no proof.
        package init(
            sender: SenderID,
            hasher: InboxHasher,
            writer: InboxWriter,
            tokens: IdentityTokens?,
            clock: WallClock
        ) {
            self.sender = sender
            self.hasher = hasher
            self.writer = writer
            self.tokens = tokens
            self.clock = clock
        }
    }

    private let setting: Setting
    private let report: UpstreamListener.Report
    /// Nil if signatures are no proof.
    private var signatures: RequestSignature?
    private var rate: DeviceRate
    private var isStopping = false

    package init(
        in setting: Setting,
        signatures: RequestSignature?,
        rate: DeviceRate,
        report: @escaping UpstreamListener.Report
    ) {
        self.setting = setting
        self.signatures = signatures
        self.rate = rate
        self.report = report
    }

    /// Refuses messages from now on.
    package func stop() { isStopping = true }

    /// Answers after the commit.
    package func answer(to request: Request) async -> Answer {
        let answer = await decide(request)
        if case .refused(let refusal) = answer {
            report(.refused(UpstreamNotice.Refusal(name: refusal.name), over: .http))
        }
        return answer
    }

    private func decide(_ request: Request) async -> Answer {
        guard !isStopping else { return .refused(.stopping) }
        let seconds = setting.clock.now().secondsSince1970
        guard request.body.count <= UpstreamMessage.sizeLimit else {
            return .refused(.message(.tooLarge(bytes: request.body.count)))
        }
        let signature: String?
        switch await proven(request, at: seconds) {
        case .success(let found): signature = found
        case .failure(let refusal): return .refused(refusal)
        }
        do throws(UpstreamMessageError) {
            let message = try UpstreamMessage(
                parsing: request.body,
                to: setting.sender,
                arrival: UpstreamArrival(at: setting.clock.now(), over: .http)
            )
            return await store(message, signature: signature, at: seconds)
        } catch {
            return .refused(.message(error))
        }
    }

    private enum Proven {
        /// With the signature that is used up, if there is one.
        case success(String?)
        case failure(Refusal)
    }

    private func proven(_ request: Request, at seconds: Int64) async -> Proven {
        switch request.proof {
        case .signature(let code, let time):
            guard let signatures else { return .failure(.noProof) }
            do throws(RequestSignature.Failure) {
                let signature = try signatures.verify(
                    time: time,
                    signature: code,
                    body: request.body,
                    now: seconds
                )
                return .success(signature)
            } catch {
                return .failure(.signature(error))
            }
        case .token(let text):
            guard let tokens = setting.tokens else { return .failure(.noProof) }
            do throws(IdentityTokens.Failure) {
                _ = try await tokens.user(of: text, at: seconds)
                return .success(nil)
            } catch {
                return .failure(.token(error))
            }
        case nil: return .failure(.noProof)
        }
    }

    private func store(
        _ message: UpstreamMessage,
        signature: String?,
        at seconds: Int64
    ) async -> Answer {
        let device = setting.hasher.fingerprint(of: message.registration)
        if let pause = rate.count(device, at: seconds) {
            return .refused(.tooMany(seconds: pause))
        }
        if let signature, signatures?.spend(signature, now: seconds) == false {
            return .refused(.signature(.replayed))
        }
        switch await setting.writer.store(message) {
        case .durable(.stored): return .stored(id: message.id, isDuplicate: false)
        case .durable(.duplicate): return .stored(id: message.id, isDuplicate: true)
        case .durable(.conflictingContent): return .refused(.conflict(id: message.id))
        case .notStored, .overloaded:
            if let signature { signatures?.restore(signature) }
            return .refused(.notStored)
        }
    }
}
