import CampaignModel

/// The sends of a `ServiceMachine` that have started and have not ended, with their sums.
struct RunningSends: Sendable {
    private var sends: [OccurrenceID: DueSend] = [:]
    /// The number of their requests.
    private(set) var requests = 0
    private(set) var fanOutCount = 0
    private(set) var cappedCount = 0

    var count: Int { sends.count }

    func contains(_ id: OccurrenceID) -> Bool { sends[id] != nil }

    mutating func insert(_ send: DueSend) {
        remove(send.occurrence)
        sends[send.occurrence] = send
        add(send, times: 1)
    }

    mutating func remove(_ id: OccurrenceID) {
        if let send = sends.removeValue(forKey: id) { add(send, times: -1) }
    }

    private mutating func add(_ send: DueSend, times: Int) {
        requests += send.requests * times
        if send.isFanOut { fanOutCount += times }
        if send.isCapped { cappedCount += times }
    }
}
