/// Since when a machine waits for a standby.
struct StandbyWait: Sendable {
    private var begin: Duration?
    private var isReported = false

    /// Returns whether the wait is long and must be reported; true once for each wait.
    mutating func mustReport(isWaiting: Bool, at now: Duration) -> Bool {
        guard isWaiting else {
            self = StandbyWait()
            return false
        }
        let begin = begin ?? now
        self.begin = begin
        guard !isReported, now - begin >= LeaseTerms.standbyPatience else { return false }
        isReported = true
        return true
    }
}
