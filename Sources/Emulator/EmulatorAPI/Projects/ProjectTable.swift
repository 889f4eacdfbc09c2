/// The separate states of the projects that one emulator serves.
///
/// The current project's state is outside the table, so that a request without a change of project
/// costs nothing. All projects share the accounts and tokens, which move to the current state.
package struct ProjectTable: Sendable {
    /// The states by number; the entry of the current project is a placeholder.
    ///
    /// Number 0 is the default project. A dropped project leaves a gap.
    private var states: [EmulatorState?]
    private var ids: [String] = [""]
    private var numberOfID: [String: Int] = [:]
    private var idOfSender: [String: String] = [:]
    private var current = 0
    /// The ID of the default project, or empty if it has no name.
    package private(set) var defaultID = ""
    /// Whether an ID without state gets one from the first request to Google's APIs.
    private var separatesAll = false

    /// Maximum number of projects in addition to the default project.
    package static let limit = 1_000

    init() {
        states = [nil]
    }

    /// The ID of the current project; empty for the default project.
    package var currentID: String { ids[current] }

    /// The IDs of all projects except the default project, sorted.
    package var otherIDs: [String] { numberOfID.keys.sorted() }

    var isTrivial: Bool { numberOfID.isEmpty && !separatesAll && idOfSender.isEmpty }
    var isFull: Bool { numberOfID.count >= Self.limit }

    /// Whether the ID belongs to the default project by name.
    func isDefault(_ id: String) -> Bool { id.isEmpty || id == defaultID }

    func knows(_ id: String) -> Bool { isDefault(id) || numberOfID[id] != nil }

    func sender(of id: String) -> String? {
        idOfSender.first { $0.value == id }?.key
    }

    /// Returns the ID of the state that a request of a project uses, or nil if the state must be
    /// created first.
    func owner(of id: String) -> String? {
        if isDefault(id) { return "" }
        if numberOfID[id] != nil { return id }
        return separatesAll ? nil : ""
    }

    /// Returns the project of a sender ID, which is a project number or a project ID.
    func project(ofSender sender: String) -> String { idOfSender[sender] ?? sender }

    /// Names the default project; every other ID is then separate from its first request on.
    mutating func name(_ id: String, separatesAll: Bool) {
        defaultID = id
        self.separatesAll = separatesAll
    }

    mutating func set(sender: String, of id: String) {
        idOfSender = idOfSender.filter { $0.value != id }
        idOfSender[sender] = isDefault(id) ? "" : id
    }

    /// Makes a project's state the current one; a new project starts with `new`.
    ///
    /// Returns whether the state is new.
    mutating func enter(
        _ id: String,
        replacing state: inout EmulatorState,
        new: (EmulatorState) -> EmulatorState
    ) -> Bool {
        let number = isDefault(id) ? 0 : numberOfID[id] ?? -1
        guard number != current else { return false }
        var next: EmulatorState
        if number >= 0, let known = states[number].take() {
            next = known
        } else {
            next = new(state)
        }
        swap(&next.authority, &state.authority)
        swap(&next, &state)
        states[current] = next
        current = number >= 0 ? number : add(id)
        return number < 0
    }

    private mutating func add(_ id: String) -> Int {
        let gap = ids.indices.first { $0 > 0 && ids[$0].isEmpty }
        let number = gap ?? ids.count
        if gap == nil {
            ids.append(id)
            states.append(nil)
        } else {
            ids[number] = id
        }
        numberOfID[id] = number
        return number
    }

    /// Drops a project that is not the current one.
    mutating func drop(_ id: String) {
        guard let number = numberOfID.removeValue(forKey: id), number != current else { return }
        states[number] = nil
        ids[number] = ""
        idOfSender = idOfSender.filter { $0.value != id }
    }

    /// Returns the state of a project, which must not be the current one.
    func state(of id: String) -> EmulatorState? {
        let number = isDefault(id) ? 0 : numberOfID[id] ?? -1
        return states.indices.contains(number) ? states[number] : nil
    }
}
