import DeliveryModel
import JSON

/// The active script, with the counts of its rules.
///
/// Every rule counts the requests that it matches, regardless of earlier rules. If several rules
/// would fire, only the first one does. The same script, seed, requests and times produce the same
/// faults.
struct FaultPlan: Sendable {
    private(set) var seed: UInt64
    private let since: DeliveryMoment
    private var rules: [RuleState]
    /// The counts before the last request.
    private var marks: [(rule: Int, mark: RuleState.Mark)] = []

    /// Creates a plan without faults.
    init() {
        seed = 0
        since = DeliveryMoment(milliseconds: 0)
        rules = []
    }

    /// Replaces a script, and keeps its seed if the new script has none.
    init(_ script: FaultScript, after former: FaultPlan, at now: DeliveryMoment) {
        let seed = script.seed ?? former.seed
        self.seed = seed
        since = now
        rules = script.rules.map {
            RuleState(rule: $0, draw: FaultDraw(seed: seed, rule: $0.id))
        }
    }

    var isEmpty: Bool { rules.isEmpty }

    /// Counts a request and returns the fault that it receives, if any.
    mutating func judge(
        _ subject: FaultSubject,
        in model: DeliveryBackend,
        at now: DeliveryMoment
    ) -> FiredFault? {
        var fired: FiredFault?
        marks.removeAll(keepingCapacity: true)
        for index in rules.indices {
            let match = rules[index].rule.matcher.match(
                subject,
                draw: rules[index].draw,
                in: model
            )
            guard match != .none else { continue }
            marks.append((index, rules[index].mark(subject.project)))
            let isRefused = fired?.isRateLimit ?? false
            let call = rules[index].call(subject, since: since, at: now, isRefused: isRefused)
            guard fired == nil, case .fires(let wait) = call else { continue }
            rules[index].fired += 1
            fired = FiredFault(rule: rules[index].rule, match: match, wait: wait)
        }
        return fired
    }

    /// Commits the counts of the last request.
    mutating func keepCounts() { marks.removeAll(keepingCapacity: true) }

    /// Undoes the counts of the last request.
    mutating func takeBack() {
        for (index, mark) in marks { rules[index].takeBack(mark) }
        marks = []
    }

    /// The script, with the numbers of matching requests and of fired faults per rule.
    var json: JSONValue {
        let rules = rules.map { state -> JSONValue in
            var object = JSONObject([
                JSONObject.Member(key: "id", value: .string(state.rule.id))
            ])
            for member in state.rule.written.members where member.key != "id" {
                object.append(member.key, value: member.value)
            }
            object.append("matched", value: .integer(state.matched))
            object.append("fired", value: .integer(state.fired))
            return .object(object)
        }
        return ["seed": .integer(Int64(clamping: seed)), "rules": .array(rules)]
    }
}

/// A rule and its counts.
private struct RuleState {
    enum Call {
        case passes
        /// `wait` is the number of milliseconds until the quota is available again.
        case fires(wait: Int64?)
    }

    let rule: FaultRule
    let draw: FaultDraw
    var matched: Int64 = 0
    var fired: Int64 = 0
    private var windows = QuotaWindows()

    /// The state that a request can change.
    typealias Mark = (matched: Int64, fired: Int64, project: String, window: QuotaWindow?)

    func mark(_ project: String) -> Mark { (matched, fired, project, windows[project]) }

    mutating func takeBack(_ mark: Mark) {
        (matched, fired) = (mark.matched, mark.fired)
        windows[mark.project] = mark.window
    }

    init(rule: FaultRule, draw: FaultDraw) {
        self.rule = rule
        self.draw = draw
    }

    /// Counts a request; if `isRefused`, another rule has already answered 429, which consumes no
    /// quota.
    mutating func call(
        _ subject: FaultSubject,
        since: DeliveryMoment,
        at now: DeliveryMoment,
        isRefused: Bool
    ) -> Call {
        matched += 1
        guard rule.occasion.allows(request: matched, fired: fired, draw: draw),
            rule.occasion.allows(now, since: since)
        else { return .passes }
        guard let quota = rule.occasion.overQuota else { return .fires(wait: nil) }
        guard !isRefused else { return .passes }
        var window = windows[subject.project] ?? QuotaWindow(start: now)
        let wait = window.take(subject.cost, of: quota, at: now)
        windows[subject.project] = window
        return wait.map { .fires(wait: $0) } ?? .passes
    }
}

extension FaultOccasion {
    fileprivate func allows(request number: Int64, fired: Int64, draw: FaultDraw) -> Bool {
        if let nth, number != nth { return false }
        if let every, number % every != 0 { return false }
        if let from, number < from { return false }
        if let until, number > until { return false }
        if let times, fired >= times { return false }
        if let share, !draw.hits(share, request: number) { return false }
        return true
    }

    fileprivate func allows(_ now: DeliveryMoment, since: DeliveryMoment) -> Bool {
        if let fromMoment, now < fromMoment { return false }
        if let untilMoment, now >= untilMoment { return false }
        if let fromSeconds, now < since.advanced(bySeconds: fromSeconds) { return false }
        if let untilSeconds, now >= since.advanced(bySeconds: untilSeconds) { return false }
        return true
    }
}

/// The windows of projects: at least 10,000 and at most twice as many.
///
/// The oldest windows are discarded, which gives their projects a full bucket again.
private struct QuotaWindows {
    private static let limit = 10_000

    private var windows: [String: QuotaWindow] = [:]

    subscript(project: String) -> QuotaWindow? {
        get { windows[project] }
        set {
            windows[project] = newValue
            if windows.count > 2 * Self.limit { forgetOldest() }
        }
    }

    private mutating func forgetOldest() {
        let oldest = windows.sorted { ($0.value.start, $0.key) < ($1.value.start, $1.key) }
        for (project, _) in oldest.prefix(Self.limit) { windows[project] = nil }
    }
}

/// The used part of a quota in the current window.
///
/// The bucket becomes full at the end of each window. Windows start with the first request and not
/// at full minutes of the clock (Firebase documentation, throttling and quotas).
private struct QuotaWindow {
    private(set) var start: DeliveryMoment
    private var used: Int64 = 0

    init(start: DeliveryMoment) {
        self.start = start
    }

    /// Takes the cost, or returns the number of milliseconds until the bucket is full.
    ///
    /// A cost above the limit requires a full bucket.
    mutating func take(_ cost: Int64, of quota: FaultQuota, at now: DeliveryMoment) -> Int64? {
        let length = quota.window.milliseconds
        let passed = now.milliseconds - start.milliseconds
        if passed >= length {
            start = DeliveryMoment(milliseconds: now.milliseconds - passed % length)
            used = 0
        }
        let cost = min(cost, quota.limit)
        guard used + cost <= quota.limit else {
            return start.milliseconds + length - now.milliseconds
        }
        used += cost
        return nil
    }
}
