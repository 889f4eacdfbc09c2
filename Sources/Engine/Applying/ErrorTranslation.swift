import RegistrationLists
import State

/// Reads or writes the state and maps its error to an apply error.
func mapLedgerErrors<Value: ~Copyable>(
    _ body: () async throws(StateStoreError) -> Value
) async throws(ApplyError) -> Value {
    do { return try await body() } catch { throw .state(error) }
}

/// Reads a registration list and maps its error to an apply error.
func mapListErrors<Value: ~Copyable>(
    _ body: () throws(RegistrationListError) -> Value
) throws(ApplyError) -> Value {
    do { return try body() } catch { throw .list(error) }
}
