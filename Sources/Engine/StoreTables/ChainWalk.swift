import FoundationEssentials
import JSON
import State

/// A row of the chain.
struct ChainLink {
    let number: Int64
    let run: Int64?
    let content: String
    let hash: Data

    init(_ row: any StoredRow) throws {
        number = try row.decode(Int64.self, atIndex: 0)
        run = try row.decode(Int64?.self, atIndex: 1)
        content = try row.decode(String.self, atIndex: 2)
        hash = try row.decode(Data.self, atIndex: 3)
    }
}

/// A pass over the chain from its first entry to its last.
///
/// It collects operations without a run; entries of runs are read per run.
struct ChainWalk {
    struct Rename {
        let number: Int64
        let old: JSONValue
        let new: JSONValue
    }

    private(set) var previous: Data
    private(set) var last: Int64 = 0
    private(set) var findings = ChainFindings()
    private(set) var renames: [Rename] = []
    private(set) var pauses = ChainedRows(of: .pauses)
    private(set) var resolutions = ChainedRows(of: .resolutions)
    /// The serial that the last run or an operation set.
    private(set) var serial: Int64?
    /// Nil for a chain without its first entry.
    private(set) var runsBefore: Int64?

    init(previous: Data) {
        self.previous = previous
    }

    mutating func visit(_ link: ChainLink) {
        if link.number != last + 1 {
            findings.add(run: nil, subject: .entry(last + 1), finding: .gone)
        }
        last = link.number
        let entry = ChainEntry(content: link.content)
        let isIntact =
            ChainEntry.hash(link.content, after: previous) == link.hash && entry != nil
            && entry?.run == link.run
        if !isIntact {
            findings.add(
                run: link.run ?? entry?.run,
                subject: .entry(link.number),
                finding: .broken
            )
        }
        previous = link.hash
        if let entry { apply(entry, number: link.number) }
    }

    private mutating func apply(_ entry: ChainEntry, number: Int64) {
        switch entry.kind {
        case .start: start(entry.row)
        case .begin, .serial: serial = entry.row["serial"]?.integerValue
        case .rename: rename(entry.row, number: number)
        case .pause: pauses.put(entry.row)
        case .lift: pauses.remove(entry.row)
        case .ask: resolutions.put(entry.row)
        case .settle: resolutions.remove(entry.row)
        case .end, .sending, .membership, .deed: break
        }
    }

    private mutating func start(_ row: JSONObject) {
        runsBefore = row["runs"]?.integerValue
        for pause in row["pauses"]?.arrayValue ?? [] { pause.objectValue.map { pauses.put($0) } }
        for asked in row["resolutions"]?.arrayValue ?? [] {
            asked.objectValue.map { resolutions.put($0) }
        }
    }

    private mutating func rename(_ row: JSONObject, number: Int64) {
        guard let old = row["campaign"], let new = row["to"] else { return }
        renames.append(Rename(number: number, old: old, new: new))
        pauses.rename(old, to: new)
        resolutions.rename(old, to: new)
    }
}

/// Collects differences: it counts all and keeps the first ones of the history.
struct ChainFindings {
    private(set) var count = 0
    private(set) var runs: Set<RunID> = []
    private var kept: [ChainDifference] = []

    private static let limit = 100

    mutating func add(
        run: Int64?,
        subject: ChainDifference.Subject,
        finding: ChainDifference.Finding
    ) {
        let run = run.map(RunID.init(number:))
        count += 1
        if let run { runs.insert(run) }
        kept.append(ChainDifference(run: run, subject: subject, finding: finding))
        if kept.count >= 2 * Self.limit { kept = first }
    }

    /// Sorted by run.
    var first: [ChainDifference] {
        let sorted = kept.enumerated().sorted { one, other in
            (one.element.run?.number ?? .max, one.offset)
                < (other.element.run?.number ?? .max, other.offset)
        }
        return sorted.prefix(Self.limit).map(\.element)
    }
}

extension ChainVerdict {
    init(head: ChainHead, runsBefore: Int64, findings: ChainFindings) {
        self.init(
            head: head,
            runsBefore: runsBefore,
            differences: findings.first,
            differenceCount: findings.count,
            differingRuns: findings.runs
        )
    }
}
