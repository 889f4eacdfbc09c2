import State
import RegistrationLists

/// Reads or writes the state and maps its error to an apply error.
func recording<Value: ~Copyable>(
    _ body: () throws(StateStoreError) -> Value
) throws(ApplyError) -> Value {
    do { return try body() } catch { throw .state(error) }
}

/// Reads a registration list and maps its error to an apply error.
func listing<Value: ~Copyable>(
    _ body: () throws(RegistrationListError) -> Value
) throws(ApplyError) -> Value {
    do { return try body() } catch { throw .list(error) }
}
