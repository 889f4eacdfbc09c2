import DeliveryModel
import JSON
import Text

/// A change of the list of projects.
enum ProjectChange: Hashable, Sendable {
    case set(String, sender: String?)
    case drop(String)
}

/// The settings with which a new project starts.
struct ProjectStart: Sendable {
    var clock: EmulatorClockStart?
    var delivery: DeliveryOptions?
}

extension ProjectTable {
    /// Decides `PUT` and `DELETE /emulator/v1/projects/{id}`; returns nil for other requests.
    func decide(_ request: EmulatorRequest, match: RouteMatch) -> Decision? {
        guard !request.isTooLarge, !request.isForeign, case .served(.control(let control)) = match
        else { return nil }
        do throws(GoogleError) {
            switch control {
            case .setProject(let id): return try decideProject(id, for: request)
            case .dropProject(let id):
                guard knows(id) else {
                    throw .notFound(path: String(RequestTarget(request.target).path))
                }
                return Decision(answer: .success(), effect: .control(.project(.drop(id))))
            default: return nil
            }
        } catch {
            return Decision(answer: error.answer)
        }
    }

    private func decideProject(
        _ id: String,
        for request: EmulatorRequest
    ) throws(GoogleError) -> Decision {
        let fields =
            request.hasNoBody
            ? [:] : try request.object(as: .project)
        let sender = fields["sender_id"]?.stringValue
        var answer: JSONObject = ["id": .string(id)]
        answer["sender_id"] = (sender ?? self.sender(of: id)).map { .string($0) }
        return Decision(
            answer: .success(.object(answer)),
            effect: .control(.project(.set(id, sender: sender)))
        )
    }

    /// Performs a recorded request again in the state of its project; returns false if a request
    /// that succeeded is now refused.
    mutating func replay(_ logged: LoggedRequest, in state: inout EmulatorState) -> Bool {
        enter(logged.project, replacing: &state)
        let path = RequestTarget(logged.request.target).path
        guard logged.wasPerformed,
            case .control(.project(let change))? = decide(
                logged.request,
                match: state.routes.match(logged.request.method, path: path)
            )?.effect
        else { return state.replay(logged) }
        perform(change, in: &state)
        return true
    }

    /// Makes a project's state the current one.
    ///
    /// Returns whether the state is new.
    @discardableResult
    mutating func enter(_ id: String, replacing state: inout EmulatorState) -> Bool {
        enter(id, replacing: &state) { EmulatorState(nextTo: $0) }
    }

    /// Changes the states of all projects, and then makes the default project the current one.
    mutating func updateAll(
        _ state: inout EmulatorState,
        update: (inout EmulatorState) -> Void
    ) {
        for id in otherIDs + [""] {
            enter(id, replacing: &state)
            update(&state)
        }
    }

    mutating func perform(_ change: ProjectChange, in state: inout EmulatorState) {
        switch change {
        case .set(let id, let sender):
            enter(id, replacing: &state)
            guard let sender else { return }
            set(sender: sender, of: id)
            state.model.upstreamSender = sender
        case .drop(let id):
            enter("", replacing: &state)
            guard isDefault(id) else { return drop(id) }
            var fresh = EmulatorState(nextTo: state)
            fresh.authority = state.authority
            state = fresh
        }
    }

    /// The query that names the current project, or an empty text for the default project.
    var currentQuery: String { currentID.isEmpty ? "" : "?project=" + currentID.percentEncoded }
}

extension EmulatorCore {
    /// Makes a project's state the current one.
    ///
    /// Returns whether the state is new.
    @discardableResult
    mutating func enter(_ id: String) -> Bool { projects.enter(id, replacing: &state) }

    /// Makes a project's state the current one, and creates it with the emulator's settings.
    mutating func enter(creating id: String) throws(GoogleError) {
        guard projects.knows(id) || !projects.isFull else { throw .tooManyProjects }
        guard enter(id) else { return }
        // The log records the settings like a client's, so that a replay has them, too.
        if let delivery = projectStart.delivery { try? set(delivery) }
        if let clock = projectStart.clock { try? begin(clock) }
    }

    mutating func perform(_ change: ProjectChange) {
        projects.perform(change, in: &state)
        if case .drop(let id) = change { log.forget(project: projects.isDefault(id) ? "" : id) }
    }

    /// `GET /emulator/v1/projects`: the default project first.
    func projectList(_ target: RequestTarget) throws(GoogleError) -> JSONObject {
        var answer = try Page(target)
            .answer("projects", of: [""] + projects.otherIDs) { json(ofProject: $1) }
        answer["limit"] = .integer(Int64(ProjectTable.limit))
        return answer
    }

    private func json(ofProject id: String) -> JSONValue {
        let isCurrent = id == projects.currentID
        let devices = (isCurrent ? state : projects.state(of: id))?.model.deviceCount ?? 0
        var members: JSONObject = [
            "id": .string(id.isEmpty ? projects.defaultID : id), "default": .bool(id.isEmpty),
            "devices": .integer(Int64(devices)),
            "requests": .integer(Int64(log.recent(of: id).total)),
        ]
        members["sender_id"] = projects.sender(of: id).map { .string($0) }
        return .object(members)
    }
}

extension RouteDocumentation {
    static let projects = RouteDocumentation(
        "Lists the projects that have separate state, the default project first.",
        query: Query.page,
        answer: .json(
            .record(
                "Projects",
                members: [
                    "projects": .list(
                        .record(
                            "Project",
                            members: [
                                "id": .text, "default": .flag, "devices": .count,
                                "requests": .count,
                            ],
                            optional: ["sender_id": .text]
                        )
                    ),
                    "limit": .count, "last": .count, "total": .count,
                ]
            )
        )
    )

    static let setProject = RouteDocumentation(
        "Creates a project, or sets the sender ID whose requests belong to it.",
        body: .json(.shape(.project)),
        answer: .json(
            .record("ProjectSetting", members: ["id": .text], optional: ["sender_id": .text])
        ),
        refusals: [429]
    )

    static let dropProject = RouteDocumentation(
        "Drops a project: devices, inboxes, groups, faults, quota and clock.",
        answer: .json(.empty)
    )
}
