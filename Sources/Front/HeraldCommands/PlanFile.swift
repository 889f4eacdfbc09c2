import CampaignLoading
import Planning
import Presentation
import JSON
import FoundationEssentials

/// A JSON plan written by `plan --out`.
struct PlanFile {
    let digest: PlanDigest
    let reviewed: ReviewedPlan

    /// Reads a plan.
    ///
    /// Recomputes both hashes, of `reviewed` and of the whole, and rejects a file whose hashes
    /// differ.
    init(reading path: String) throws(CommandFailure) {
        let name = TextStyle.safe(path)
        guard let data = try? Data(contentsOf: URL(filePath: path)) else {
            throw CommandFailure("\(name) can't be read")
        }
        guard let plan = JSONValue(parsing: Array(data)), let content = plan["reviewed"],
            let digest = plan["digest"]?.stringValue.flatMap(PlanDigest.init)
        else {
            throw CommandFailure(
                "\(name) is not a plan",
                help: "`herald plan --out FILE` writes one"
            )
        }
        let isAsWritten =
            ReviewedPlan.hash(of: content) == digest.hash
            && plan.objectValue.map { .string(ReviewedPlan.checksum(of: $0)) } == plan["checksum"]
        guard isAsWritten else {
            throw CommandFailure(
                "\(name) was changed since it was written: its content does not have its digest",
                help: "nothing in it can be trusted; take the file as `herald plan --out` wrote it"
            )
        }
        guard let reviewed = ReviewedPlan(content: content) else {
            throw CommandFailure(
                "\(name) was written by another version of Herald, whose plans this one can't "
                    + "compare",
                help: "plan again with this version",
                exit: .stalePlan
            )
        }
        self.digest = digest
        self.reviewed = reviewed
    }

    /// Writes a plan atomically to a file that only its owner can read.
    ///
    /// Replaces an earlier plan. Refuses a link and a file that contains anything else.
    static func write(_ text: String, to path: String) throws(CommandFailure) {
        let name = TextStyle.safe(path)
        try refuseOther(path, name)
        do throws(FileProblem) {
            try AtomicFile(path).write(Array(text.utf8), mode: 0o600)
        } catch {
            throw CommandFailure("\(name) can't be written: \(TextStyle.safe(error.reason))")
        }
    }

    private static func refuseOther(_ path: String, _ name: String) throws(CommandFailure) {
        guard let status = FileStatus(path, followsLink: false) else { return }
        guard status.isFile else {
            throw CommandFailure(
                "\(name) is no file of its own, so that no plan is written there",
                help: "name a file; what a link leads to may belong to somebody else"
            )
        }
        guard status.size > 0 else { return }
        let data = try? Data(contentsOf: URL(filePath: path))
        let held = data.flatMap { JSONValue(parsing: Array($0)) }
        guard held?["format_version"] != nil, held?["digest"] != nil else {
            throw CommandFailure(
                "\(name) is there and holds no plan, so that it is not overwritten",
                help: "give another name, or take the file away"
            )
        }
    }
}
