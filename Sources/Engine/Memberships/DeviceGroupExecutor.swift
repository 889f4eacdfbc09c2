package import CampaignModel
import FCMClient
import FCMWire
import HTTPTransport
import RateControl
import RegistrationLists
package import RunControl
package import State
import Time

/// Creates device groups in FCM and changes their members; the caller holds the write lock.
package struct DeviceGroupExecutor: Sendable {
    private let store: any MembershipBook & HistoryStore
    private let settings: RunSettings

    package init(store: any MembershipBook & HistoryStore, settings: RunSettings) {
        self.store = store
        self.settings = settings
    }

    /// Returns FCM's key for the name; it is a secret.
    package func key(of name: DeviceGroupName) async throws(ApplyError) -> String {
        try await DeviceGroupLookup(settings).key(of: name)
    }

    /// Performs the operation as a separate run, recorded before and after.
    ///
    /// - Returns: The state of the group afterwards; nil if it ended with its last member.
    package func perform(
        _ edit: DeviceGroupEdit,
        by worker: Worker
    ) async throws(ApplyError) -> DeviceGroupRecord? {
        let run = try await mapLedgerErrors { () async throws(StateStoreError) in
            try await store.beginRun(worker)
        }
        var (failure, after): (ApplyError?, DeviceGroupRecord?) = (nil, nil)
        do throws(ApplyError) {
            after = try await perform(edit)
        } catch {
            failure = error
        }
        let status: RunStatus =
            failure == nil ? .complete : failure == .interrupted ? .interrupted : .stopped
        let cause = failure.map(\.cause) ?? "device group \(edit.name) was changed"
        let end = settings.clock.now()
        try await mapLedgerErrors { () async throws(StateStoreError) in
            try await store.finishRun(
                run,
                as: RunEnd(status: status, tally: OutcomeTally(), cause: cause, at: end)
            )
        }
        if let failure { throw failure }
        return after
    }

    private func perform(
        _ edit: DeviceGroupEdit
    ) async throws(ApplyError) -> DeviceGroupRecord? {
        let (name, record) = (edit.name, edit.record)
        let operation: DeviceGroupRequest.Operation =
            switch edit.operation {
            case .create: .create
            case .add: .add(key: try await key(of: name))
            case .remove: .remove(key: try await key(of: name))
            }
        let concerned = Set(edit.members.map(\.fingerprint))
        let known = record?.members ?? []
        // Until there is an answer, the members are unknown.
        try await keep(
            DeviceGroupRecord(name: name, members: known.union(concerned), isWhole: false),
            of: name
        )
        let isSure: Bool
        do throws(ApplyError) {
            isSure = try await settle(operation, on: name, members: edit.members)
        } catch {
            if case .refused = error { try await keep(record, of: name) }
            throw error
        }
        let left =
            edit.operation == .remove ? known.subtracting(concerned) : known.union(concerned)
        let isWhole = isSure && (edit.operation == .create || record?.isWhole ?? false)
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
            let pause = max(settings.backoff.pause(after: failures), delay)
            try await settings.stop.pause(for: pause)
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
        let request = settings.endpoint.change(
            DeviceGroupRequest(operation, name: name.text),
            registrations: members.map(\.registration.token)
        )
        do throws(TransportError) {
            let answer = try await settings.transport.send(request)
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
