package import CampaignModel
package import FCMClient
import FCMWire
package import HTTPTransport
package import RateControl
import RegistrationLists
package import RunControl
package import State
package import Time

/// An operation on a device group.
package enum DeviceGroupOperation: Hashable, Sendable {
    case create
    case add
    case remove
}

/// Creates device groups in FCM and changes their members; the caller holds the write lock.
package struct DeviceGroupExecutor: Sendable {
    private let store: any MembershipBook & HistoryStore
    private let transport: any Transport
    private let endpoint: FCMEndpoint
    private let stop: StopSignal
    private let backoff: Backoff

    package init(
        store: any MembershipBook & HistoryStore,
        transport: any Transport,
        endpoint: FCMEndpoint,
        stop: StopSignal,
        backoff: Backoff = .standard
    ) {
        self.store = store
        self.transport = transport
        self.endpoint = endpoint
        self.stop = stop
        self.backoff = backoff
    }

    /// Returns FCM's key for the name; it is a secret.
    package func key(of name: DeviceGroupName) async throws(ApplyError) -> String {
        try await DeviceGroupLookup(
            transport: transport,
            endpoint: endpoint,
            stop: stop,
            backoff: backoff
        ).key(of: name)
    }

    /// Performs the operation as a separate run, recorded before and after.
    ///
    /// `record`: the known state of the group; nil if it is unknown.
    /// - Returns: The state of the group afterwards; nil if it ended with its last member.
    package func perform(
        _ deed: DeviceGroupOperation,
        on name: DeviceGroupName,
        record: DeviceGroupRecord?,
        members: [Member],
        by worker: Worker,
        clock: WallClock
    ) async throws(ApplyError) -> DeviceGroupRecord? {
        let run = try await mapLedgerErrors { () async throws(StateStoreError) in
            try await store.beginRun(worker)
        }
        var (failure, after): (ApplyError?, DeviceGroupRecord?) = (nil, nil)
        do throws(ApplyError) {
            after = try await perform(deed, on: name, record: record, members: members)
        } catch {
            failure = error
        }
        let status: RunStatus =
            failure == nil ? .complete : failure == .interrupted ? .interrupted : .stopped
        let cause = failure.map(\.cause) ?? "device group \(name) was changed"
        try await mapLedgerErrors { () async throws(StateStoreError) in
            try await store.finishRun(
                run,
                as: RunEnd(status: status, tally: OutcomeTally(), cause: cause, at: clock.now())
            )
        }
        if let failure { throw failure }
        return after
    }

    private func perform(
        _ deed: DeviceGroupOperation,
        on name: DeviceGroupName,
        record: DeviceGroupRecord?,
        members: [Member]
    ) async throws(ApplyError) -> DeviceGroupRecord? {
        let operation: DeviceGroupRequest.Operation =
            switch deed {
            case .create: .create
            case .add: .add(key: try await key(of: name))
            case .remove: .remove(key: try await key(of: name))
            }
        let concerned = Set(members.map(\.fingerprint))
        let known = record?.members ?? []
        // Until there is an answer, the members are unknown.
        try await keep(
            DeviceGroupRecord(name: name, members: known.union(concerned), isWhole: false),
            of: name
        )
        let isSure: Bool
        do throws(ApplyError) {
            isSure = try await settle(operation, on: name, members: members)
        } catch {
            if case .refused = error { try await keep(record, of: name) }
            throw error
        }
        let left = deed == .remove ? known.subtracting(concerned) : known.union(concerned)
        let isWhole = isSure && (deed == .create || record?.isWhole ?? false)
        let after = DeviceGroupRecord(name: name, members: left, isWhole: isWhole)
        guard left.isEmpty, isWhole else {
            try await keep(after, of: name)
            return after
        }
        try await keep(nil, of: name)
        return nil
    }

    private func keep(
        _ record: DeviceGroupRecord?,
        of name: DeviceGroupName
    ) async throws(ApplyError) {
        try await mapLedgerErrors { () async throws(StateStoreError) in
            try await store.record(record, of: name)
        }
    }
}

// MARK: - Requests

extension DeviceGroupExecutor {
    /// Repeats the request until there is an answer; existing or missing members make no
    /// difference.
    ///
    /// - Returns: False if a group was to be created, the first request got no answer, and the
    ///   group now exists.
    private func settle(
        _ operation: DeviceGroupRequest.Operation,
        on name: DeviceGroupName,
        members: [Member]
    ) async throws(ApplyError) -> Bool {
        var failures = 0
        while true {
            let reason: String
            var delay = Duration.zero
            switch await answer(to: operation, on: name, members: members) {
            case .done: return true
            case .refused(let words):
                if operation == .create, failures > 0, await isThere(name) { return false }
                throw .refused(reason: "device group \(name): \(words)")
            case .passing(let words, let wait): (reason, delay) = (words, wait)
            }
            failures += 1
            if failures == Backoff.maximumFailures { throw .unanswered(reason: reason) }
            try await stop.pause(for: max(backoff.pause(after: failures), delay))
        }
    }

    private enum Answer {
        case done
        case refused(String)
        case passing(String, Duration)
    }

    private func answer(
        to operation: DeviceGroupRequest.Operation,
        on name: DeviceGroupName,
        members: [Member]
    ) async -> Answer {
        let request = endpoint.change(
            DeviceGroupRequest(operation, name: name.text),
            registrations: members.map(\.registration.token)
        )
        do throws(TransportError) {
            let answer = try await transport.send(request)
            switch DeviceGroupAnswer(status: answer.status, body: answer.body) {
            case .key: return .done
            case .refused(let error):
                let words = members.reduce("\(answer.status) \(error)") {
                    $0.concealing($1.registration)
                }
                guard MembershipReader.Obstacle.mayPass(answer.status) else {
                    return .refused(words)
                }
                return .passing(
                    words,
                    MembershipReader.Obstacle(answer: answer, reason: words).delay
                )
            }
        } catch {
            return .passing(error.detail, .zero)
        }
    }

    private func isThere(_ name: DeviceGroupName) async -> Bool {
        do throws(ApplyError) {
            _ = try await key(of: name)
            return true
        } catch {
            return false
        }
    }
}
