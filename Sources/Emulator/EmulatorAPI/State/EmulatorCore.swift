import DeliveryModel
import EmulatorAuth
import JSON
import SystemIO

/// The model and its request log.
///
/// Each request is decided, recorded, performed and answered, in this order. Sends that arrive
/// together are performed first and then written together; if the write fails, they are undone.
package struct EmulatorCore: ~Copyable {
    /// The state of the current project.
    package var state: EmulatorState
    package var projects = ProjectTable()
    /// The settings of new projects.
    var projectStart = ProjectStart()
    package internal(set) var log: RequestLog
    /// The number of XMPP connections of each project's app servers.
    package var appServerConnections: [String: Int] = [:]
    /// The number of the next answer.
    private var ticket = 0
    /// The answers whose requests wait for the next write.
    private var waiting = 0..<0
    private var lost: UnrecordedAnswers?
    private var lastToldSequence = 0
    /// Whether every request is written separately, because the last write failed.
    private var isCareful = false
    /// Maximum number of bytes that wait for the next write.
    private static let waitingBytes = 1_048_576

    init(log: consuming RequestLog, clock: @escaping @Sendable () -> DeliveryMoment) {
        self.log = log
        state = EmulatorState(system: clock)
    }

    /// Restores the devices and their inboxes from the log at `path`.
    ///
    /// `skip` is called with the number of each recorded request that is now refused.
    init(
        logPath path: String,
        limits: DeliveryLimits = DeliveryLimits(),
        authority: Authority = Authority(),
        routes: RouteTable = .api,
        skip: (_ sequence: Int) -> Void = { _ in },
        clock: @escaping @Sendable () -> DeliveryMoment
    ) throws(EmulatorError) {
        var state = EmulatorState(routes: routes, system: clock)
        var projects = ProjectTable()
        state.authority = authority
        // The current token requirement does not apply to earlier requests.
        state.authority.requiresTokens = false
        // Accepted requests stay accepted, regardless of the current limits.
        state.model.limits = .none
        log = try RequestLog.reopened(at: path) { logged in
            let isTaken = projects.replay(logged, in: &state)
            if !isTaken { skip(logged.sequence) }
        }
        projects.updateAll(&state) { state in
            state.clock.resume(at: state.latest)
            state.model.limits = limits
        }
        state.authority.requiresTokens = authority.requiresTokens
        self.state = state
        self.projects = projects
    }

    /// Answers a request after recording its effect.
    mutating func handle(_ request: EmulatorRequest) -> RenderedAnswer {
        let answer = take(request).completed
        return settle()?.replacing(answer) ?? answer
    }

    /// Answers a request; its effect is not recorded before the next call of `settle`.
    package mutating func take(_ request: EmulatorRequest) -> RenderedAnswer {
        let match = self.match(of: request)
        var answer: RenderedAnswer
        var refusal: GoogleError?
        do throws(GoogleError) {
            try refuseUnknownParameters(of: request, match: match)
            try enterProject(of: request, match: match)
        } catch {
            refusal = error
            enter("")
        }
        state.lookAtClock()
        if let refusal {
            writeWaiting()
            answer = refuse(request, match: match, because: refusal)
        } else if case .served(.send) = match, !isCareful {
            answer = enter(request, match: match)
        } else {
            writeWaiting()
            if case .served(.look(let look)) = match, !request.isTooLarge,
                !request.isForeign
            {
                answer = self.answer(to: look, for: request)
            } else {
                answer = record(request, match: match)
            }
        }
        answer.ticket = ticket
        ticket += 1
        return answer
    }

    /// Matches a request; the metadata server shares its path with the page and is recognized by
    /// its header.
    private func match(of request: EmulatorRequest) -> RouteMatch {
        let path = RequestTarget(request.target).path
        if request.metadataFlavor != nil, request.method == "GET", path == "/" {
            return .served(.oauth(.metadata(path: nil)))
        }
        return state.routes.match(request.method, path: path)
    }

    /// Refuses query parameters that a route of the control API does not have.
    private func refuseUnknownParameters(
        of request: EmulatorRequest,
        match: RouteMatch
    ) throws(GoogleError) {
        guard case .served(let route) = match, route.isControl,
            request.target.utf8.contains(UInt8(ascii: "?"))
        else { return }
        let target = RequestTarget(request.target)
        guard let names = state.routes.parameters(request.method, path: target.path) else { return }
        try target.refuseParameters(otherThan: names)
    }

    /// Returns whether anything was recorded since the previous call.
    package mutating func takeNews() -> Bool {
        defer { lastToldSequence = log.lastSequence }
        return lastToldSequence != log.lastSequence
    }

    /// Writes the waiting requests and returns the answers whose write failed.
    package mutating func settle() -> UnrecordedAnswers? {
        writeWaiting()
        return lost
    }

    /// Refuses a request; only queries are not recorded.
    private mutating func refuse(
        _ request: EmulatorRequest,
        match: RouteMatch,
        because refusal: GoogleError
    ) -> RenderedAnswer {
        if case .served(.look) = match { return refusal.answer.rendered }
        return record(request, match: match, decision: Decision(answer: refusal.answer))
    }

    private mutating func record(
        _ request: EmulatorRequest,
        match: RouteMatch
    ) -> RenderedAnswer {
        let decision =
            projects.decide(request, match: match)
            ?? state.decide(request, match: match, sequence: log.lastSequence + 1)
        return record(request, match: match, decision: decision)
    }

    private mutating func record(
        _ request: EmulatorRequest,
        match: RouteMatch,
        decision: Decision
    ) -> RenderedAnswer {
        state.faults.keepCounts()
        let outcome = state.outcome(of: decision, for: request)
        do throws(RequestLog.Failure) {
            let record = decision.record(of: request)
            var exchange = LoggedExchange(request: record.request, answer: outcome.answer)
            exchange.recorded = record.answer
            exchange.headers = request.headers
            log.enter(
                exchange,
                of: projects.currentID,
                at: state.latest
            )
            try log.commit()
            isCareful = false
        } catch {
            state.faults.takeBack()
            return error.answer
        }
        state.perform(outcome)
        state.countSend(match, answered: outcome.answer.status)
        if case .control(.project(let change)) = outcome.effect { perform(change) }
        return outcome.answer
    }

    private mutating func enter(
        _ request: EmulatorRequest,
        match: RouteMatch
    ) -> RenderedAnswer {
        let decision = state.decide(request, match: match, sequence: log.lastSequence + 1)
        let outcome = state.outcome(of: decision, for: request)
        if waiting.isEmpty { waiting = ticket..<ticket }
        waiting = waiting.lowerBound..<ticket + 1
        var exchange = LoggedExchange(request: request, answer: outcome.answer)
        if !decision.standsAsItCame(request) {
            let record = decision.record(of: request)
            exchange = LoggedExchange(request: record.request, answer: outcome.answer)
            exchange.recorded = record.answer
        }
        exchange.headers = request.headers
        log.enter(exchange, of: projects.currentID, at: state.latest)
        state.perform(outcome)
        state.countSend(match, answered: outcome.answer.status)
        if log.waitingBytes > Self.waitingBytes { writeWaiting() }
        return outcome.answer
    }

    private mutating func writeWaiting() {
        guard !waiting.isEmpty else { return }
        do throws(RequestLog.Failure) {
            try log.commit()
        } catch {
            lost = UnrecordedAnswers(tickets: waiting, answer: error.answer)
            isCareful = true
            takeBackSends()
        }
        waiting = 0..<0
    }

    /// Rebuilds the devices from the log.
    ///
    /// Apart from devices, a send changes only the counts of fault rules.
    private mutating func takeBackSends() {
        var past = EmulatorState(routes: state.routes) { DeliveryMoment(milliseconds: 0) }
        past.model.limits = .none
        var pastProjects = ProjectTable()
        let isRead = log.lines?.forEach(after: 0) { line in
            if let logged = LoggedRequest(line: line.bytes) {
                _ = pastProjects.replay(logged, in: &past)
            }
            return true
        }
        if isRead != true { log.refuseAll() }
        let current = projects.currentID
        for id in [""] + projects.otherIDs {
            enter(id)
            pastProjects.enter(id, replacing: &past)
            past.model.limits = state.model.limits
            state.model = past.model
            state.faults = past.faults
        }
        enter(current)
    }
}

extension RequestLog.Failure {
    fileprivate var answer: RenderedAnswer {
        switch self {
        case .unwritable(let error):
            GoogleError.logUnwritable(reason: error.reason).answer.rendered
        }
    }
}

extension EmulatorAnswer {
    package var rendered: RenderedAnswer {
        var answer = RenderedAnswer(
            status: status,
            bytes: body.compactBytes,
            allowedMethods: allowedMethods,
            headers: headers
        )
        if let contentType, let text = body.stringValue {
            answer.bytes = Array(text.utf8)
            answer.contentType = contentType
        }
        return answer
    }
}
