import DeliveryModel
import EmulatorAuth
import JSON

/// The project that a request names, and whether its first use creates the project.
enum ProjectSelection: Equatable {
    /// The request names no project.
    case none
    /// `?project=` or the emulator's own routes for projects.
    case asked(String)
    /// A path, an account or a sender.
    case implied(String)
}

extension EmulatorCore {
    /// Makes the project of a request the current one, and creates it on first use.
    ///
    /// The project is the one in Google's path, in `project`, of the access token's account, or of
    /// the sender in the header `project_id`, in this order.
    mutating func enterProject(
        of request: EmulatorRequest,
        match: RouteMatch
    ) throws(GoogleError) {
        if projects.isTrivial, !request.target.utf8.contains(UInt8(ascii: "?")),
            !match.isProjectChange
        {
            return
        }
        switch try selection(of: request, match: match) {
        case .none: enter("")
        case .asked(let id): try enter(creating: id)
        case .implied(let id):
            if let owner = projects.owner(of: id) {
                enter(owner)
            } else {
                try enter(creating: id)
            }
        }
    }

    private func selection(
        of request: EmulatorRequest,
        match: RouteMatch
    ) throws(GoogleError) -> ProjectSelection {
        guard case .served(let route) = match else { return .none }
        if let id = route.projectInPath { return .implied(id) }
        let hasQuery = request.target.utf8.contains(UInt8(ascii: "?"))
        if case .control(.setProject(let id)) = route { return try asked(id) }
        if case .control(.dropProject) = route { return .none }
        if hasQuery, let id = RequestTarget(request.target).parameter("project") {
            if id == "*", route.showsAllProjects { return .none }
            return try asked(id)
        }
        guard !projects.isTrivial, !route.isControl else { return .none }
        if case .oauth(let endpoint) = route {
            let id = state.authority.project(of: AuthRequest(request), at: endpoint)
            return id.map { .implied($0) } ?? .none
        }
        if let id = request.bearer.flatMap({ state.authority.project(ofBearer: $0) }) {
            return .implied(id)
        }
        return request.projectID.map { .implied(projects.project(ofSender: $0)) } ?? .none
    }
}

extension EmulatorCore {
    private func asked(_ id: String) throws(GoogleError) -> ProjectSelection {
        guard id.isEmpty || id.isProjectID else {
            throw .control(
                "project",
                because: "It must have 1 to 100 characters, without spaces, slashes and asterisks."
            )
        }
        return .asked(id)
    }
}

extension RouteMatch {
    fileprivate var isProjectChange: Bool {
        switch self {
        case .served(.control(.setProject)), .served(.control(.dropProject)): true
        default: false
        }
    }
}

extension Route {
    /// Whether `project=*` shows the log of all projects.
    fileprivate var showsAllProjects: Bool {
        switch self {
        case .look(.requests), .look(.counters), .look(.counter): true
        default: false
        }
    }

    /// The project in the path of a Google API.
    fileprivate var projectInPath: String? {
        switch self {
        case .send(let project): project
        case .topicSubscriptions(let place), .topicSubscription(let place, _): place.project
        case .deliveryData(let place): place.project
        case .batchAdd, .batchRemove, .batchImport, .info, .membership, .deviceGroups, .oauth,
            .authority, .control, .look:
            nil
        }
    }
}

extension String {
    var isProjectID: Bool {
        !isEmpty && utf8.count <= 100
            && unicodeScalars.allSatisfy {
                $0.value > 0x20 && $0.value != 0x7F && $0 != "/" && $0 != "*"
            }
    }
}

extension GoogleError {
    static let tooManyProjects = GoogleError(
        code: 429,
        status: "RESOURCE_EXHAUSTED",
        message: "The emulator has \(ProjectTable.limit) projects, the maximum. Drop one with "
            + "DELETE /emulator/v1/projects/{id}."
    )
}
