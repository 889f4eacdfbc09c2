extension ConnectionSet {
    mutating func opened(_ id: ConnectionID, at now: Duration) -> [Command] {
        guard var connection = connections[id], connection.phase == .connecting else { return [] }
        connection.enter(.open, at: now)
        connections[id] = connection
        return [.report(.opened(id))]
    }

    mutating func ended(
        _ id: ConnectionID,
        _ reported: ConnectionEnd,
        at now: Duration
    ) -> [Command] {
        guard let connection = connections.removeValue(forKey: id) else { return [] }
        let end =
            connection.isTooSlow
            ? .unreachable(reason: "no connection within 30 seconds") : reported
        // FCM sends them again; storing them here would only fill the memory of a store that fails.
        waiting.removeAll { $0.connection == id }
        if let index = slots.firstIndex(where: { $0.connection == id }) {
            slots[index].connection = nil
            if connection.wasStable(at: now) { slots[index].failures = 0 }
            slots[index].failures += 1
            let pause = ReconnectPause.after(
                failures: slots[index].failures,
                needsOperator: end.needsOperator,
                share: share()
            )
            slots[index].notBefore = now + pause
        }
        return [.report(.ended(id, end))]
    }

    mutating func received(_ delivery: Delivery, at now: Duration) -> [Command] {
        let id = delivery.connection
        guard var connection = connections[id], connection.mayReceive else { return [] }
        guard connection.pending + connection.refused < limits.unacknowledged else {
            return excess(of: id, at: now)
        }
        connection.receives(at: now)
        connections[id] = connection
        waiting.append(delivery)
        return []
    }

    private mutating func excess(of id: ConnectionID, at now: Duration) -> [Command] {
        guard connections[id]?.hasExcess == false else { return [] }
        connections[id]?.hasExcess = true
        return drain(id, .tooManyUnacknowledged(id), at: now)
    }

    mutating func refused(_ id: ConnectionID, at now: Duration) -> [Command] {
        guard var connection = connections[id], connection.mayReceive else { return [] }
        connection.refused += 1
        connections[id] = connection
        guard connection.refused == limits.unacknowledged else { return [] }
        return drain(id, .blocked(id), at: now)
    }

    /// Lets another connection take the place of this one, which keeps acknowledging.
    mutating func drain(
        _ id: ConnectionID,
        _ notice: Notice,
        at now: Duration
    ) -> [Command] {
        guard var connection = connections[id], connection.mayReceive else { return [] }
        guard connection.phase == .open else { return [.report(notice)] }
        if let index = slots.firstIndex(where: { $0.connection == id }) {
            slots[index] = successor(of: slots[index], after: connection, at: now)
        }
        connection.enter(.draining, at: now)
        connections[id] = connection
        return [.report(notice)]
    }

    /// A server that drains each new connection does not get connects without a pause.
    private mutating func successor(
        of slot: ConnectionSlot,
        after connection: UpstreamConnection,
        at now: Duration
    ) -> ConnectionSlot {
        guard !connection.wasStable(at: now) else { return ConnectionSlot() }
        guard slot.failures > 0 else { return ConnectionSlot(failures: 1) }
        let failures = slot.failures + 1
        let pause = ReconnectPause.after(
            failures: failures - 1,
            needsOperator: false,
            share: share()
        )
        return ConnectionSlot(failures: failures, notBefore: now + pause)
    }
}

// MARK: - Commits

extension ConnectionSet {
    mutating func committed(_ number: Int) -> [Command] {
        guard let batch = inFlight, batch.number == number else { return [] }
        inFlight = nil
        var commands: [Command] = storeFailures > 0 ? [.report(.storeRecovered)] : []
        storeFailures = 0
        var stored: [ConnectionID: [Acknowledgement]] = [:]
        // A closed connection is not in the table, and its number is not used again.
        for delivery in batch.deliveries where connections[delivery.connection] != nil {
            connections[delivery.connection]?.pending -= 1
            stored[delivery.connection, default: []].append(delivery.acknowledgement)
        }
        for (id, acknowledgements) in stored.sorted(by: { $0.key < $1.key }) {
            commands.append(.acknowledge(id, acknowledgements))
        }
        return commands
    }

    /// The messages wait for the store; FCM stops at its limit of unacknowledged messages.
    mutating func notCommitted(_ number: Int, at now: Duration) -> [Command] {
        guard let batch = inFlight, batch.number == number else { return [] }
        inFlight = nil
        storeFailures += 1
        guard stopLimit == nil else {
            for delivery in batch.deliveries { connections[delivery.connection]?.pending -= 1 }
            return [.report(.storeFailed(messages: batch.deliveries.count))]
        }
        let kept = batch.deliveries.filter { connections[$0.connection] != nil }
        waiting = kept + waiting
        let pause = ReconnectPause.after(
            failures: storeFailures,
            needsOperator: false,
            share: share()
        )
        storeRetry = now + pause
        return [.report(.storeFailed(messages: batch.deliveries.count))]
    }
}

// MARK: - Deadlines

extension ConnectionSet {
    /// Only messages of the commit that runs are still acknowledged.
    mutating func stop(limit: Duration, at now: Duration) {
        guard stopLimit == nil else { return }
        stopLimit = limit
        waiting = []
        let deliveries = inFlight?.deliveries ?? []
        for id in connections.keys.sorted() {
            connections[id]?.pending = deliveries.count { $0.connection == id }
            connections[id]?.stop(at: now)
        }
    }

    /// When to deliver `timer`, if no other event comes first; nil if no time matters.
    package func nextTimer(at now: Duration) -> Duration? {
        var times = connections.values.compactMap(\.deadline)
        if let stopLimit, !hasAborted, !connections.isEmpty { times.append(stopLimit) }
        if let storeRetry, !waiting.isEmpty { times.append(storeRetry) }
        let free = slots.filter { $0.connection == nil }.map(\.notBefore).min()
        if let free, stopLimit == nil, connections.count < limits.connections {
            times.append(budget.next(from: max(now, free)))
        }
        return times.min()
    }

    mutating func close(at now: Duration) -> [Command] {
        let isLate = !hasAborted && stopLimit.map { $0 <= now } ?? false
        if isLate { hasAborted = true }
        var commands: [Command] = []
        let due = connections.filter { isLate || $0.value.deadline.map { $0 <= now } ?? false }
        for (id, connection) in due.sorted(by: { $0.key < $1.key }) {
            switch connection.phase {
            case .connecting:
                connections[id]?.isTooSlow = !isLate
                commands.append(.abort(id))
            case .closing:
                commands.append(.abort(id))
            case .open, .draining, .stopping:
                commands.append(isLate ? .abort(id) : .close(id))
            }
            // A driver that does not report the end within the limit of this phase has to abort.
            connections[id]?.enter(.closing, at: now)
        }
        return commands
    }
}
