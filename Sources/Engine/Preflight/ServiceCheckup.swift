package import FCMClient
import FCMWire
package import HTTPTransport
import JSON
package import Time

/// Runs the checks of FCM that send and change nothing.
package struct ServiceCheckup: Sendable {
    private let transport: any Transport
    private let endpoint: FCMEndpoint
    private let clock: WallClock

    package init(transport: any Transport, endpoint: FCMEndpoint, clock: WallClock) {
        self.transport = transport
        self.endpoint = endpoint
        self.clock = clock
    }

    package struct Result: Sendable {
        package let findings: [CheckupFinding]
        /// The project number in an FCM answer.
        package let projectNumber: String?

        package init(findings: [CheckupFinding], projectNumber: String?) {
            self.findings = findings
            self.projectNumber = projectNumber
        }
    }

    /// Checks the connection, the clock, a send and memberships.
    package func perform() async -> Result {
        let before = clock.now()
        let answer: HTTPAnswer
        do {
            answer = try await transport.send(endpoint.send(body: SendCheck.body))
        } catch {
            return Result(findings: unreached(error), projectNumber: nil)
        }
        let findings = [
            connection(answer),
            ClockCheck.finding(answer, before: before, after: clock.now()),
            SendCheck.finding(answer, project: endpoint.project),
            await memberships(),
        ]
        return Result(findings: findings, projectNumber: SendCheck.projectNumber(in: answer))
    }

    /// Returns the project number of a registration's sender; nil if FCM does not report it.
    package func sender(of registration: String) async -> String? {
        let question = InstanceIDInfo(registration: registration)
        guard let answer = try? await transport.send(endpoint.ask(question)), answer.status == 200
        else { return nil }
        return JSONValue(parsing: answer.body)?["authorizedEntity"]?.stringValue
    }

    private func unreached(_ error: TransportError) -> [CheckupFinding] {
        let reason = "FCM cannot be reached"
        return [
            CheckupFinding(
                .connection,
                verdict: .problem,
                seen: "\(endpoint.messaging): \(error.detail)",
                wayOut: error.reason.wayOut
            ),
            .skipped(.clock, because: reason), .skipped(.send, because: reason),
            .skipped(.memberships, because: reason),
        ]
    }

    private func connection(_ answer: HTTPAnswer) -> CheckupFinding {
        let seen = "\(answer.version.rawValue) to \(endpoint.messaging)"
        guard endpoint.messaging.hasPrefix("https:"), answer.version == .http1 else {
            return .ok(.connection, seen: seen)
        }
        return CheckupFinding(
            .connection,
            verdict: .warning,
            seen: seen + ": a connection carries one request at a time",
            wayOut: "allow HTTP/2: something between this machine and the server blocks it"
        )
    }

    private func memberships() async -> CheckupFinding {
        do throws(TransportError) {
            let registration = MembershipCheck.registration
            let batch = try await transport.send(
                endpoint.change(
                    .init(change: .remove, topic: "herald-doctor"),
                    registrations: [registration]
                )
            )
            let question = TopicSubscriptionQuestion(
                project: endpoint.project,
                registration: registration
            )
            let single = try await transport.send(endpoint.ask(question))
            return MembershipCheck.finding(
                batch: MembershipCheck.way(batch: batch),
                single: MembershipCheck.way(single: single),
                statuses: (batch.status, single.status)
            )
        } catch {
            return CheckupFinding(
                .memberships,
                verdict: .problem,
                seen: "\(endpoint.instanceID): \(error.detail)",
                wayOut: error.reason.wayOut
            )
        }
    }
}

extension TransportError.Reason {
    fileprivate var wayOut: String {
        switch self {
        case .unresolvedHost: "check DNS and the spelling of the address"
        case .refusedConnection: "make sure that the server runs and that no firewall blocks it"
        case .failedTLS:
            "check the certificate, `ca`, this computer's clock, and any proxy that intercepts "
                + "TLS; verification cannot be switched off"
        case .timedOut: "check for a firewall or a proxy that blocks the connection"
        case .badURL: "fix the address in herald.yaml"
        case .lostConnection, .malformedAnswer, .cancelled, .other:
            "check what answers there, and run the check again"
        }
    }
}
