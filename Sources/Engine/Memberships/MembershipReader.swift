import CampaignModel
import FCMClient
import FCMWire
import HTTPTransport
import RateControl
import RunControl
import State

/// Queries FCM for the subscriptions of registrations, several at a time.
///
/// A query changes nothing, so it is repeated until there is an answer.
struct MembershipReader: Sendable {
    let settings: RunSettings
    let route: MembershipRoute

    /// The result of querying some registrations.
    enum Reading: Sendable {
        /// In the order of the members.
        case answers([Answer])
        /// The Instance ID API is not available, so its other answers are discarded.
        case notServed(String)
    }

    enum Answer: Hashable, Sendable {
        /// The names of its topics.
        case topics(Set<String>)
        /// Dead, or not a registration.
        case unknown
    }

    func read(_ members: [Member]) async throws(ApplyError) -> Reading {
        var answers = [Answer?](repeating: nil, count: members.count)
        var rest = Array(members.indices)
        var failures = 0
        while !rest.isEmpty {
            if settings.stop.isRaised { throw .interrupted }
            let round = await ask(rest.map { ($0, members[$0]) })
            if let reason = round.absence { return .notServed(reason) }
            for (number, answer) in round.answers { answers[number] = answer }
            if let reason = round.refusal { throw .refused(reason: reason) }
            rest = rest.filter { answers[$0] == nil }
            guard let obstacle = round.obstacle, !rest.isEmpty else { continue }
            failures = round.answers.isEmpty ? failures + 1 : 1
            guard failures < Backoff.maximumFailures else {
                throw .unanswered(reason: obstacle.reason)
            }
            let pause = max(settings.backoff.pause(after: failures), obstacle.delay)
            try await settings.stop.pause(for: pause)
        }
        return .answers(answers.map { $0 ?? .unknown })
    }

    // MARK: One round

    /// The results of a round of queries; the first obstacle ends it.
    private struct Round: Sendable {
        var answers: [(Int, Answer)] = []
        var obstacle: Obstacle?
        var refusal: String?
        var absence: String?

        var goesOn: Bool { obstacle == nil && refusal == nil && absence == nil }
    }

    /// A transient reason for a missing answer.
    struct Obstacle: Hashable, Sendable {
        let reason: String
        /// The pause that the server requested.
        let delay: Duration
    }

    private enum TaskResult: Sendable {
        case answer(Int, Answer)
        case obstacle(Obstacle)
        case refusal(String)
        case absence(String)
        case stopped
    }

    /// Queries the members; a stop cancels open queries, because a lost query does no harm.
    private func ask(_ members: [(Int, Member)]) async -> Round {
        await withTaskGroup(of: TaskResult.self) { group in
            var waiting = members[...]
            var round = Round()
            var open = 0
            group.addTask {
                await settings.stop.wait()
                return .stopped
            }
            while open > 0 || (!waiting.isEmpty && round.goesOn) {
                while round.goesOn, open < settings.parallelism,
                    let (number, member) = waiting.popFirst()
                {
                    group.addTask { await ask(number, about: member) }
                    open += 1
                }
                guard open > 0, let landing = await group.next() else { break }
                open -= 1
                switch landing {
                case .answer(let number, let answer): round.answers.append((number, answer))
                case .obstacle(let obstacle): round.obstacle = round.obstacle ?? obstacle
                case .refusal(let reason): round.refusal = round.refusal ?? reason
                case .absence(let reason): round.absence = round.absence ?? reason
                case .stopped: open = 0
                }
                if case .stopped = landing { break }
            }
            group.cancelAll()
            return round
        }
    }

    private func ask(_ number: Int, about member: Member) async -> TaskResult {
        do throws(TransportError) {
            switch route.transport {
            case .batch where !member.registration.isInstallationID:
                return try await askInstanceID(number, about: member)
            case .batch, .perRegistration:
                return try await askTopicSubscriptions(number, about: member)
            }
        } catch {
            return .obstacle(Obstacle(reason: error.detail, delay: .zero))
        }
    }

    private func askInstanceID(
        _ number: Int,
        about member: Member
    ) async throws(TransportError) -> TaskResult {
        let question = InstanceIDInfo(registration: member.registration.token)
        let answer = try await settings.transport.send(settings.endpoint.ask(question))
        switch InstanceIDInfoAnswer(status: answer.status, body: answer.body) {
        case .topics(let topics): return .answer(number, .topics(topics))
        case .unknown: return .answer(number, .unknown)
        case .refused(let status, let error) where route.isLeft(after: status):
            return .absence("\(status) \(error)")
        case .refused(404, _): return .answer(number, .unknown)
        case .refused(let status, let error): return refused(answer, reason: "\(status) \(error)")
        }
    }

    private func askTopicSubscriptions(
        _ number: Int,
        about member: Member
    ) async throws(TransportError) -> TaskResult {
        var topics: Set<String> = []
        var page: String?
        repeat {
            let question = TopicSubscriptionQuestion(
                project: settings.endpoint.project,
                registration: member.registration.token,
                pageToken: page
            )
            let answer = try await settings.transport.send(settings.endpoint.ask(question))
            switch TopicSubscriptionPage(status: answer.status, body: answer.body) {
            case .topics(let names, let next):
                // A repeated page token would never end.
                page = next == page ? nil : next
                topics.formUnion(names)
            case .unknown: return .answer(number, .unknown)
            case .refused(let status, let error):
                return refused(answer, reason: "\(status) \(error)")
            }
        } while page != nil
        return .answer(number, .topics(topics))
    }

    private func refused(_ answer: HTTPAnswer, reason: String) -> TaskResult {
        Obstacle.mayPass(answer.status)
            ? .obstacle(Obstacle(answer: answer, reason: reason)) : .refusal(reason)
    }

    /// The longest pause that a server may request; after an hour, a person should know.
    static let longestDelay = Duration.seconds(3_600)
}

extension MembershipReader.Obstacle {
    /// Whether a status is transient.
    static func mayPass(_ status: Int) -> Bool {
        [408, 425, 429, 499].contains(status) || status >= 500 || (200...299).contains(status)
    }

    init(answer: HTTPAnswer, reason: String) {
        self.init(
            reason: reason,
            delay: min(answer.retryAfter ?? .zero, MembershipReader.longestDelay)
        )
    }
}
