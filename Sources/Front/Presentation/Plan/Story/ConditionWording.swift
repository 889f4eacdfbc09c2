import CampaignModel

/// Describes the audience of a condition in prose.
struct ConditionWording {
    private let meaning: Meaning

    /// Uses the shortest equivalent condition.
    init(_ condition: Condition) {
        meaning = Meaning(condition.canonical ?? condition.expression, isTrue: true)
    }

    /// For example, `everyone in topic tides who is also in azores or madeira`.
    var text: String {
        switch meaning {
        case .topic(let name, true): "all devices in topic \(name)"
        case .topic(let name, false): "all devices that are not in topic \(name)"
        case .any(let parts): alternatives(parts)
        case .all(let parts): together(parts)
        }
    }

    private func together(_ parts: [Meaning]) -> String {
        guard let head = parts.firstIndex(where: \.isPositive) else {
            return "all devices that are " + Meaning.all(parts).clause
        }
        let others = parts.enumerated().filter { $0.offset != head }.map(\.element)
        let also = others.compactMap { $0.name(isIn: true) }
        let never = others.compactMap { $0.name(isIn: false) }
        let wording =
            (also.isEmpty ? [] : ["also in " + also.joined(by: "and")])
            + others.filter { !$0.isTopic }.map { "also " + $0.clause }
            + (never.isEmpty ? [] : ["not in " + never.joined(by: "or")])
        return "all devices in topic \(parts[head].names.joined(by: "or")) that are "
            + wording.joined(by: "and")
    }

    private func alternatives(_ parts: [Meaning]) -> String {
        let names = parts.compactMap { $0.name(isIn: true) }
        return names.count == parts.count
            ? "all devices in topic " + names.joined(by: "or")
            : "all devices that are " + parts.map(\.clause).joined(separator: ", or ")
    }
}

/// A condition in negation normal form, with nested operators of the same kind flattened.
private indirect enum Meaning: Hashable {
    case topic(String, isIn: Bool)
    case all([Meaning])
    case any([Meaning])

    init(_ expression: Condition.Expression, isTrue: Bool) {
        switch expression {
        case .subscribed(let topic): self = .topic(topic.name, isIn: isTrue)
        case .not(let operand): self = Meaning(operand, isTrue: !isTrue)
        case .all(let left, let right):
            let parts = [Meaning(left, isTrue: isTrue), Meaning(right, isTrue: isTrue)]
            self = isTrue ? .all(parts.flatMap(\.conjuncts)) : .any(parts.flatMap(\.disjuncts))
        case .any(let left, let right):
            let parts = [Meaning(left, isTrue: isTrue), Meaning(right, isTrue: isTrue)]
            self = isTrue ? .any(parts.flatMap(\.disjuncts)) : .all(parts.flatMap(\.conjuncts))
        }
    }

    private var conjuncts: [Meaning] {
        if case .all(let parts) = self { parts } else { [self] }
    }

    private var disjuncts: [Meaning] {
        if case .any(let parts) = self { parts } else { [self] }
    }

    var isTopic: Bool {
        if case .topic = self { true } else { false }
    }

    /// Whether this is a topic or an alternative of topics.
    var isPositive: Bool {
        switch self {
        case .topic(_, let isIn): isIn
        case .any(let parts): names.count == parts.count
        case .all: false
        }
    }

    func name(isIn: Bool) -> String? {
        if case .topic(let name, isIn) = self { name } else { nil }
    }

    /// The topics that appear directly and without negation.
    var names: [String] {
        switch self {
        case .topic: [name(isIn: true)].compactMap(\.self)
        case .any(let parts), .all(let parts): parts.compactMap { $0.name(isIn: true) }
        }
    }

    /// For example, `in a`, `not in a`, `in a or b`, `in a and b but not in c`.
    var clause: String {
        switch self {
        case .topic(let name, let isIn): return (isIn ? "in " : "not in ") + name
        case .any(let parts):
            let rest = parts.filter { $0.name(isIn: true) == nil }.map { "(\($0.clause))" }
            let named = names.isEmpty ? [] : ["in " + names.joined(by: "or")]
            return (named + rest).joined(separator: " or ")
        case .all(let parts):
            let rest = parts.filter { !$0.isTopic }.map { "(\($0.clause))" }
            let named = names.isEmpty ? [] : ["in " + names.joined(by: "and")]
            let never = parts.compactMap { $0.name(isIn: false) }.joined(by: "or")
            let wording = (named + rest).joined(separator: " and ")
            guard !never.isEmpty else { return wording }
            return wording.isEmpty ? "not in " + never : wording + " but not in " + never
        }
    }
}
