package import DeliveryModel
import JSON
import Text

/// What the XMPP connections of app servers need from the core.
extension EmulatorCore {
    /// Returns the app server that a sender ID names, or nil if its project has another sender ID.
    package mutating func appServer(ofSender sender: String) -> AppServer? {
        let project = projects.owner(of: projects.project(ofSender: sender)) ?? ""
        let known = visit(project) { $0.model.upstreamSender } ?? nil
        guard known == nil || known == sender else { return nil }
        return AppServer(project: project, sender: sender)
    }

    /// The time of a project.
    package mutating func moment(of project: String) -> DeliveryMoment {
        visit(project) { $0.latest } ?? DeliveryMoment(milliseconds: 0)
    }

    /// Identifies the state of a project until it is dropped; nil if there is none.
    package mutating func era(of project: String) -> UInt64? { visit(project) { $0.era } }

    /// A project ID with which a request of an app server reaches its project; nil if the project
    /// was dropped.
    package func pathID(of project: String) -> String? {
        guard projects.knows(project) else { return nil }
        guard projects.isDefault(project) else { return project.percentEncoded }
        if !projects.defaultID.isEmpty { return projects.defaultID.percentEncoded }
        return ["default", "herald-default"].first { !projects.knows($0) }
    }

    /// Returns up to `limit` unacknowledged messages after a place, and the place of the last one
    /// that was looked at.
    package mutating func upstreamDeliveries(
        for server: AppServer,
        after place: Int,
        limit: Int
    ) -> (found: [UpstreamDelivery], through: Int) {
        visit(server.project) {
            $0.model.upstreamQueue.deliveries(after: place, for: server.sender, limit: limit)
        } ?? ([], place)
    }

    /// The number of orders to drain the connections of a project.
    package mutating func upstreamDrains(of project: String) -> Int {
        visit(project) { $0.model.upstreamDrains } ?? 0
    }

    /// Returns when the device of a registration received a message, and its app.
    package mutating func receipt(
        of id: MessageID,
        by registration: DeviceRegistration,
        in project: String
    ) -> (at: DeliveryMoment, category: String?)? {
        visit(project) { $0.model.receipt(of: id, by: registration) } ?? nil
    }

    /// Acknowledges a message as the control API does, and records it.
    package mutating func acknowledgeUpstream(_ key: UpstreamKey, of project: String) {
        guard projects.knows(project) else { return }
        let query = project.isEmpty ? "" : "?project=" + project.percentEncoded
        let body: JSONValue = [
            "registration": .string(key.registration), "message_id": .string(key.id),
        ]
        _ = take(
            EmulatorRequest(
                method: "POST",
                target: "/emulator/v1/upstream/acknowledgements" + query,
                body: body.compactBytes
            )
        )
    }

    var upstreamCounts: JSONObject {
        var members = state.model.upstreamCounts.json
        let count = appServerConnections[projects.currentID] ?? 0
        members["connections"] = .integer(Int64(count))
        return members
    }

    /// Reads the state of a project; returns nil if it was dropped.
    private mutating func visit<Value>(
        _ project: String,
        body: (EmulatorState) -> Value
    ) -> Value? {
        guard projects.knows(project) else { return nil }
        let current = projects.currentID
        enter(project)
        state.lookAtClock()
        let value = body(state)
        enter(current)
        return value
    }
}
