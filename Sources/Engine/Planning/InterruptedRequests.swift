package import State

/// Finds the requests that a killed process left unsent, although the state does not record that.
package protocol InterruptedRequests: Sendable {
    /// Returns the requests of a unit that were released and are known not to have been sent.
    ///
    /// Empty while another process sends.
    func unsent(of unit: WorkUnitRecord) async throws(StateStoreError) -> Set<Int>
}
