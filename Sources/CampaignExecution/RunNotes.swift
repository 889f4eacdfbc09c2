import CampaignModel
import CampaignState

// What the history keeps of a run.
extension Ledger {
    /// So many problems of a kind are kept of each sending.
    private static let kept = 100
    /// With this the detail of a repeated request says why.
    static let repeatMark = "repeated after "

    /// Notes what a run did to a unit since it was read as `unit`.
    func note(
        _ report: SendReport,
        of unit: UnitRecord,
        _ requests: RequestRanges,
        in run: RunID
    ) throws(StateStoreError) {
        let (repeated, named) = try repeats(of: unit, among: requests)
        let problems =
            report.rejected.prefix(Self.kept).map { RunProblem($0, .rejected) }
            + report.unknown.prefix(Self.kept).map { RunProblem($0, .unknown) }
            + named.map { RunProblem($0, .repeated) }
        let sending = RunSending(
            occurrence: report.occurrence,
            tally: report.tally,
            repeated: repeated,
            problems: problems
        )
        try store.record(sending, in: run)
    }

    /// How many requests were repeated, and the first of them.
    private func repeats(
        of unit: UnitRecord,
        among requests: RequestRanges
    ) throws(StateStoreError) -> (count: Int, first: [SendProblem]) {
        guard try store.countDetails(of: unit.id, containing: Self.repeatMark) > 0 else {
            return (0, [])
        }
        var names = try RegistrationNames(of: unit, store, fingerprinter)
        var (count, first): (Int, [SendProblem]) = (0, [])
        for start in Swift.stride(from: 0, to: unit.count, by: Self.stride) {
            let range = start..<min(start + Self.stride, unit.count)
            let details = try store.details(of: unit.id, in: range).sorted { $0.key < $1.key }
            for (number, detail) in details where requests.contains(number) {
                guard let mark = detail.firstRange(of: Self.repeatMark) else { continue }
                count += 1
                guard first.count < Self.kept else { continue }
                let cause = String(detail[mark.upperBound...])
                first.append(
                    SendProblem(fingerprint: try names.fingerprint(number), reason: cause)
                )
            }
        }
        return (count, first)
    }
}

extension RunProblem {
    fileprivate init(_ problem: SendProblem, _ kind: Kind) {
        self.init(
            kind: kind,
            registration: problem.fingerprint?.description,
            reason: problem.reason
        )
    }
}

extension ApplyError {
    /// Why a run stopped, for its history; nil where its status says it all.
    var cause: String? {
        switch self {
        case .state: "the state could not be written"
        case .list: "a list could not be read, or is another than was planned for"
        case .unreachable(let reason): "the server can't be reached: \(reason)"
        case .unanswered(let reason): "the server stopped answering: \(reason)"
        case .refused(let reason): "FCM refuses us: \(reason)"
        case .interrupted: nil
        }
    }
}

extension Applier {
    /// Notes in the run's history what a piece of work changes of a membership, also where it
    /// fails.
    func noting(
        _ scope: MembershipScope,
        in run: RunID,
        _ result: inout ApplyReport,
        _ work: (inout ApplyReport) async throws(ApplyError) -> Void
    ) async throws(ApplyError) {
        let before = result.memberships
        let end: Result<Void, ApplyError>
        do throws(ApplyError) {
            end = .success(try await work(&result))
        } catch {
            end = .failure(error)
        }
        let now = result.memberships
        let noted = result.notedMemberships[scope]
        let sum = RunMembership(
            scope: scope,
            joined: (noted?.joined ?? 0) + now.joined - before.joined,
            left: (noted?.left ?? 0) + now.left - before.left,
            refused: (noted?.refused ?? 0) + now.refused.count - before.refused.count
        )
        result.notedMemberships[scope] = sum
        try recording { () throws(StateStoreError) in try store.record(sum, in: run) }
        try end.get()
    }
}
