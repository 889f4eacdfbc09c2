/// The lists of topics that apps join by themselves: devices with the same list share one.
struct TopicLists: Sendable {
    private var known: [[TopicName]: [TopicName]] = [:]

    /// Apps have few lists; where each device has its own, they are not worth keeping.
    private static let limit = 1_000

    mutating func shared(_ list: [TopicName]) -> [TopicName] {
        if list.isEmpty { return [] }
        if let shared = known[list] { return shared }
        if known.count < Self.limit { known[list] = list }
        return list
    }
}
