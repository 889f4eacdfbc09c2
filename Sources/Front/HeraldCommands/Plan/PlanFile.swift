import CampaignLoading
import FoundationEssentials
import JSON
import Planning
import Presentation
import SystemIO

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
            throw CommandFailure(.unreadable(name))
        }
        let found = JSONValue(stored: Array(data))
        guard found?["state"] != "unknown" else {
            throw CommandFailure(.planWithoutState(name))
        }
        guard let plan = found, let content = plan["reviewed"],
            let digest = plan["digest"]?.stringValue.flatMap(PlanDigest.init)
        else {
            throw CommandFailure(.notPlan(name))
        }
        let isAsWritten =
            ReviewedPlan.hash(of: content) == digest.hash
            && plan.objectValue.map { .string(ReviewedPlan.checksum(of: $0)) } == plan["checksum"]
        guard isAsWritten else {
            throw CommandFailure(.modifiedPlan(name))
        }
        guard let reviewed = ReviewedPlan(content: content) else {
            throw CommandFailure(.planOfOtherVersion(name), exit: .stalePlan)
        }
        self.digest = digest
        self.reviewed = reviewed
    }

    /// Writes a plan atomically to a file that only its owner can read.
    ///
    /// Replaces an earlier plan. Refuses a link and a file that contains anything else. The mask
    /// hides the values of variables in the destination and in what the guards found.
    static func write(
        _ plan: String,
        to path: String,
        masking mask: VariableMask
    ) throws(CommandFailure) {
        let text = masked(plan, with: mask)
        let name = TextStyle.safe(path)
        try refuseOther(path, named: name)
        do throws(SystemError) {
            try AtomicFile(path).write(Array(text.utf8), permissions: 0o600)
        } catch {
            throw CommandFailure(.unwritable(name, because: error.reason))
        }
    }

    private static func masked(_ text: String, with mask: VariableMask) -> String {
        guard case .object(let found)? = JSONValue(stored: text) else { return text }
        var plan = found
        for key in ["destination", "guards"] { plan[key] = found[key].map(mask.masked) }
        guard plan != found else { return text }
        plan["checksum"] = .string(ReviewedPlan.checksum(of: plan))
        return JSONValue.object(plan).prettyText + "\n"
    }

    private static func refuseOther(_ path: String, named name: String) throws(CommandFailure) {
        guard let status = FileStatus(path, followsLink: false) else { return }
        guard status.isFile else {
            throw CommandFailure(.planIsNoFile(name))
        }
        guard status.size > 0 else { return }
        let data = try? Data(contentsOf: URL(filePath: path))
        let held = data.flatMap { JSONValue(stored: Array($0)) }
        let isPlan = held?["digest"] != nil || held?["state"] == "unknown"
        guard held?["format_version"] != nil, isPlan else {
            throw CommandFailure(.otherFileAtPlan(name))
        }
    }
}

extension VariableMask {
    /// Masks all texts of a value, but no keys.
    fileprivate func masked(_ value: JSONValue) -> JSONValue {
        switch value {
        case .string(let text): .string(masked(text))
        case .array(let elements): .array(elements.map { element in masked(element) })
        case .object(let object):
            .object(
                JSONObject(
                    object.members.map { member in
                        JSONObject.Member(key: member.key, value: masked(member.value))
                    }
                )
            )
        case .null, .bool, .integer, .number: value
        }
    }
}
