import CampaignModel
import FCMWire
package import RunControl
import State

package struct MembershipTally: Hashable, Sendable {
    package var joined = 0
    package var left = 0
    /// Number of external members: recorded, but not requested.
    package var external = 0
    /// Rejected joins, with FCM's error.
    package var refused: [SendProblem] = []
    /// Rejected leaves: the members are still in the topic, and the next apply repeats the request.
    package var refusedLeaves: [SendProblem] = []

    package init() {}

    /// Whether FCM refused a join for another reason than a dead registration, or refused all.
    package var hasFailedJoins: Bool {
        !refused.isEmpty
            && (joined == 0 || refused.contains { $0.reason != MembershipResult.deadWord })
    }

    init(joins results: [MembershipResult]) {
        for result in results {
            switch result.verdict {
            case .done: joined += 1
            case .refused(let word):
                refused.append(SendProblem(fingerprint: result.fingerprint, reason: word))
            }
        }
    }

    package static func += (left: inout MembershipTally, right: MembershipTally) {
        left.joined += right.joined
        left.left += right.left
        left.external += right.external
        left.refused += right.refused
        left.refusedLeaves += right.refusedLeaves
    }
}

extension MembershipTally {
    init(of results: [MembershipResult], direction: MembershipMachine.Direction) {
        switch direction {
        case .add: self.init(joins: results)
        case .remove: self.init(leaves: results)
        }
    }

    /// Converts the results of leaves.
    ///
    /// A refused member stays recorded as leaving, and the next apply repeats the request. A dead
    /// registration is no longer in any topic.
    private init(leaves results: [MembershipResult]) {
        self.init()
        for result in results {
            if case .refused(let word) = result.verdict, !result.hasLeft {
                refusedLeaves.append(SendProblem(fingerprint: result.fingerprint, reason: word))
            } else {
                left += 1
            }
        }
    }
}
