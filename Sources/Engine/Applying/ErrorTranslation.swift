import State
import RegistrationLists

/// Reads or writes the state, giving its error the form of an apply's.
func recording<Value: ~Copyable>(
    _ body: () throws(StateStoreError) -> Value
) throws(ApplyError) -> Value {
    do { return try body() } catch { throw .state(error) }
}

/// Reads a list of registrations, giving its error the form of an apply's.
func listing<Value: ~Copyable>(
    _ body: () throws(RegistrationListError) -> Value
) throws(ApplyError) -> Value {
    do { return try body() } catch { throw .list(error) }
}
