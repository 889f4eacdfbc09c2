import SystemIO

/// Runs another program without a shell and reads its standard output.
enum ProgramOutput {
    /// Returns the program's output; nil if it cannot be started, fails, or exceeds its time.
    ///
    /// The first argument is the program, which is searched on `PATH`. Its standard input is empty
    /// and its standard error is discarded. The program and its children are killed after `limit`
    /// bytes of output or at the deadline.
    static func read(
        of arguments: [String],
        variables: [String: String],
        until deadline: ContinuousClock.Instant,
        atMost limit: Int
    ) -> [UInt8]? {
        guard let child = ChildProcess(running: arguments, in: .separate(variables: variables))
        else {
            return nil
        }
        let output = child.read(until: deadline, atMost: limit)
        let isCut = output.map { $0.count >= limit } ?? true
        if isCut { child.kill() }
        let exitCode = child.exitCode(until: deadline)
        guard let output else { return nil }
        return isCut || exitCode == 0 ? output : nil
    }
}
