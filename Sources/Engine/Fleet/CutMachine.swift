/// An occurrence that the writer has to divide into work units.
package struct UncutOccurrence: Hashable, Sendable {
    package let number: OccurrenceNumber
    package let count: Int
    /// The number of its first unit; the next ones follow.
    package let firstUnit: Int
    /// Whether a former writer has stored its units, which are not open yet.
    package let isStored: Bool
    /// The number of requests of a unit that it does not leave out; nil if only their total is limited.
    package let sent: Int?

    package init(
        _ number: OccurrenceNumber,
        count: Int,
        firstUnit: Int,
        isStored: Bool,
        sent: Int? = nil
    ) {
        self.number = number
        self.count = count
        self.firstUnit = firstUnit
        self.isStored = isStored
        self.sent = sent
    }

    /// The units, each of at most `size` requests, without those that would leave out all of theirs.
    ///
    /// `omitted`: the requests that caps, arms and stages leave out, in order.
    package func units(of size: Int, omitting omitted: [Int]) -> [WorkUnit] {
        var rest = omitted[...]
        return parts(of: size, omitting: omitted).enumerated().compactMap { index, requests in
            let own = rest.prefix { $0 < requests.upperBound }
            rest = rest.dropFirst(own.count)
            guard own.count < requests.count else { return nil }
            return WorkUnit(
                WorkUnitID(firstUnit + index),
                of: number,
                requests: requests,
                omitted: own.map { $0 - requests.lowerBound }
            )
        }
    }

    private func parts(of size: Int, omitting omitted: [Int]) -> [Range<Int>] {
        guard let sent else {
            return stride(from: 0, to: count, by: size).map { $0..<min(count, $0 + size) }
        }
        var parts: [Range<Int>] = []
        var rest = omitted[...]
        var (first, own) = (0, 0)
        for request in 0..<count {
            if request == rest.first { rest.removeFirst() } else { own += 1 }
            let isFull = own == sent || request + 1 - first == size
            guard isFull || request + 1 == count else { continue }
            parts.append(first..<request + 1)
            (first, own) = (request + 1, 0)
        }
        return parts
    }
}

/// Divides an occurrence into work units, and opens them when a standby has them.
///
/// If units could be claimed at once, a failover could lose them after they were sent, and a second
/// division could leave out other requests.
struct CutMachine: Sendable {
    private enum State: Hashable, Sendable {
        case uncut
        /// These requests are left out.
        case read([Int])
        /// A standby must have this position.
        case stored(LogPosition)
    }

    let occurrence: UncutOccurrence
    private let size: Int
    private var state: State

    /// `position`: after an earlier cut of the occurrence.
    init(_ occurrence: UncutOccurrence, size: Int, position: LogPosition) {
        self.occurrence = occurrence
        self.size = size
        state = occurrence.isStored ? .stored(position) : .uncut
    }

    /// The next transaction; nil if a standby does not have the units yet.
    func next(fence: ClaimFence, safe: LogPosition) -> FleetTransaction? {
        switch state {
        case .uncut: .readOmitted(fence, occurrence.number)
        case .read(let omitted):
            .cut(fence, occurrence.number, occurrence.units(of: size, omitting: omitted))
        case .stored(let position):
            safe >= position ? .open(fence, occurrence.number) : nil
        }
    }

    /// Whether a standby does not have the units yet.
    func waits(for safe: LogPosition) -> Bool {
        if case .stored(let position) = state { safe < position } else { false }
    }

    mutating func read(_ omitted: [Int]) { if state == .uncut { state = .read(omitted) } }

    mutating func stored(at position: LogPosition) { state = .stored(position) }
}
