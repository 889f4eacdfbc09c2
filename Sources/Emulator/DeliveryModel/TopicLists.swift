/// The lists of topics that apps join by themselves; devices with equal lists share one.
struct TopicLists: Sendable {
    private var known: [[TopicName]: [TopicName]] = [:]

    /// Maximum number of shared lists, since sharing is useless if every device has a different
    /// list.
    private static let limit = 1_000

    mutating func shared(_ list: [TopicName]) -> [TopicName] {
        if list.isEmpty { return [] }
        if let shared = known[list] { return shared }
        if known.count < Self.limit { known[list] = list }
        return list
    }
}
