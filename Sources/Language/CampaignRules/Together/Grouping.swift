/// Numbers grouped by key; keys and numbers keep their order of insertion.
struct Grouping<Key: Hashable> {
    private(set) var keys: [Key] = []
    private(set) var members: [[Int]] = []
    private var places: [Key: Int] = [:]

    mutating func add(_ member: Int, to key: Key) {
        if let place = places[key] {
            members[place].append(member)
        } else {
            places[key] = keys.count
            keys.append(key)
            members.append([member])
        }
    }

    subscript(key: Key) -> [Int] { places[key].map { members[$0] } ?? [] }
}
