import CampaignModel
import Planning
import RegistrationLists
import RunControl
import Sending
import State

/// A send whose requests are known, and the lists that were stored while they were checked.
struct PreparedSend {
    let step: SendStep
    let drafts: ListDrafts?
    /// The people of the lists that were read.
    let people: PlannedPeople
}

/// Lists with `read: at_send`.
extension Applier {
    /// Reads the list of a send if that is due only now, checks it and asks the guards.
    ///
    /// Nothing becomes a part of the state before all checks have passed. Other sends are returned as
    /// they are.
    ///
    /// - Returns: Nil if the list cannot be used; the report then has the reason.
    func prepare(
        _ send: SendStep,
        of plan: Plan,
        into result: inout ApplyReport
    ) async throws(ApplyError) -> PreparedSend? {
        guard let list = send.target.listAtSend else {
            return PreparedSend(step: send, drafts: project.drafts, people: plan.people)
        }
        guard let reader = project.listsAtSend else {
            preconditionFailure("the plan sends to a list that nothing can read")
        }
        let drafts = ListDrafts(of: [list.content], in: ledger)
        let survey: ListSurvey
        do throws(ListAtSendError) {
            survey = try await reader.read(list.content, into: drafts)
        } catch {
            if error == .interrupted || settings.stop.isRaised { throw .interrupted }
            result.refuse(send, .unreadable(error))
            return nil
        }
        if let fault = survey.fault(for: list.content.columns) {
            result.refuse(send, fault)
            return nil
        }
        let dead = try await mapLedgerErrors { () async throws(StateStoreError) in
            try await store.skippedRegistrations()
        }
        let step = send.addressing(survey, without: dead)
        let outcomes = list.guards.outcomes(
            count: survey.count,
            sends: plan.sends.reduce(result.sendsAtSend + step.remaining) { $0 + $1.remaining }
        )
        guard outcomes.allSatisfy({ $0.refusal == nil }) else {
            result.refuse(send, .guards(outcomes))
            return nil
        }
        result.guardsAtSend += outcomes
        result.sendsAtSend += step.remaining
        let people = step.target.listID.map { id in
            let name = PeopleName(of: id, columns: list.content.list.peopleColumns)
            return PlannedPeople([name: survey])
        }
        return PreparedSend(step: step, drafts: drafts, people: people ?? PlannedPeople.none)
    }
}

extension SendStepTarget {
    fileprivate var listID: ListID? {
        switch self {
        case .list(_, let list, _), .stored(let list, _): list
        case .topic, .condition, .group, .part, .listAtSend: nil
        }
    }
}

extension ApplyReport {
    /// Reports a send whose list cannot be used.
    mutating func refuse(_ send: SendStep, _ reason: RefusedSend.Reason) {
        refusedSends.append(
            RefusedSend(
                occurrence: send.occurrence,
                list: send.target.listAtSend?.content.list.withoutExclusions.path,
                reason: reason
            )
        )
    }
}
