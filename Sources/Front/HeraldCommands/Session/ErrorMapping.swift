import Planning
import Presentation
import State

/// Performs a state operation and converts its error to a command failure.
func mapStateErrors<Value>(
    _ body: () async throws(StateStoreError) -> Value
) async throws(CommandFailure) -> Value {
    do { return try await body() } catch {
        if case .locked = error { throw CommandFailure(ErrorText(error), exit: .locked) }
        throw CommandFailure(ErrorText(error))
    }
}

/// Performs a planning operation and converts its error to a command failure.
func mapPlanningErrors<Value>(
    _ body: () async throws(PlanningError) -> Value
) async throws(CommandFailure) -> Value {
    do { return try await body() } catch {
        switch error {
        case .notBuilt, .quietZones: throw CommandFailure(ErrorText(error), exit: .invalidFiles)
        case .state, .list, .abandonedMemberships, .unreadableOccurrence, .renamedOntoHistory,
            .unknownZone:
            throw CommandFailure(ErrorText(error))
        }
    }
}
