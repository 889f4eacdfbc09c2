import Planning
import Presentation
import Service
import State

/// Performs a state operation and converts its error to a command failure.
func mapStateErrors<Value>(
    _ body: () async throws(StateStoreError) -> Value
) async throws(CommandFailure) -> Value {
    do { return try await body() } catch {
        throw CommandFailure(error)
    }
}

extension CommandFailure {
    init(_ error: StateStoreError) {
        let exit: ExitReason = if case .locked = error { .locked } else { .error }
        self.init(ErrorText(error), exit: exit, problem: ServiceProblem(error))
    }
}

/// Performs a planning operation and converts its error to a command failure.
func mapPlanningErrors<Value>(
    _ body: () async throws(PlanningError) -> Value
) async throws(CommandFailure) -> Value {
    do { return try await body() } catch {
        switch error {
        case .plainState, .changedExperiment, .quietZones, .noRecipientZones, .tooManySlots,
            .notHandedOver:
            throw CommandFailure(ErrorText(error), exit: .invalidFiles)
        case .state, .list, .abandonedMemberships, .unreadableOccurrence, .renamedOntoHistory,
            .unknownZone:
            throw CommandFailure(ErrorText(error))
        }
    }
}
