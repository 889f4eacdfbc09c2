import Glibc

/// Reads both outputs of a supervised program to their end, within a time limit.
extension ChildProcess {
    package enum Stream: Hashable, Sendable {
        case output
        case errors
    }

    package enum Ending: Hashable, Sendable {
        case exited(code: CInt)
        case killed(signal: CInt)
    }

    package enum Supervision: Hashable, Sendable {
        /// The program ended, and its output is complete.
        case ended(Ending)
        /// `isOutputHeld`: whether the program had ended, and another process kept its output open.
        case timedOut(isOutputHeld: Bool)
        /// The caller did not want to continue.
        case stopped
        case unreadable(SystemError)
    }

    /// Passes on what the program writes, until its output ends and it exits.
    ///
    /// Ends the whole process group in every case: processes that the program left behind do not
    /// survive it. `receive` returns whether to continue. `isStopped` is asked at least every tenth
    /// of a second. Counts as the one call of `exitCode`.
    package func supervise(
        until deadline: ContinuousClock.Instant,
        isStopped: () -> Bool,
        receive: (Stream, [UInt8]) -> Bool
    ) -> Supervision {
        var open: Set<Stream> = [.output, .errors]
        var result: Supervision?
        while result == nil, open.contains(.output) || !hasEnded {
            if isStopped() {
                result = .stopped
            } else if deadline <= .now {
                result = .timedOut(isOutputHeld: hasEnded)
            } else {
                let limit = min(Self.step, ContinuousClock.now.duration(to: deadline))
                result = forward(&open, atMost: limit, to: receive)
            }
        }
        // The program is not waited for yet, so its number still belongs to it and to its group.
        kill()
        // What it wrote last explains its end. A process that left the group may write forever.
        for _ in 0..<Self.lastBlocks
        where result == nil && open.contains(.errors) && hasInput(.errors) {
            result = forward(&open, atMost: .zero, to: receive)
        }
        let ending = ending()
        return result ?? .ended(ending)
    }

    /// Passes on one block of each stream that has one; a stream that ends is not open any more.
    ///
    /// Returns nil if the supervision continues.
    private func forward(
        _ open: inout Set<Stream>,
        atMost limit: Duration,
        to receive: (Stream, [UInt8]) -> Bool
    ) -> Supervision? {
        guard !open.isEmpty else {
            usleep(500)
            return nil
        }
        let streams = [Stream.output, .errors].filter(open.contains)
        let ready = InputReadiness.among(
            streams.map { descriptor(of: $0) },
            atMost: limit
        )
        for (stream, isReady) in zip(streams, ready) where isReady {
            do throws(SystemError) {
                let bytes = try read(stream)
                if bytes.isEmpty {
                    open.remove(stream)
                } else if !receive(stream, bytes) {
                    return .stopped
                }
            } catch {
                return .unreadable(error)
            }
        }
        return nil
    }

    private func hasInput(_ stream: Stream) -> Bool {
        InputReadiness.among([descriptor(of: stream)], atMost: .zero)[0]
    }

    private func descriptor(of stream: Stream) -> CInt {
        switch stream {
        case .output: output.descriptor
        case .errors: errors.descriptor
        }
    }

    private func read(_ stream: Stream) throws(SystemError) -> [UInt8] {
        switch stream {
        case .output: try output.read(atMost: 65_536)
        case .errors: try errors.read(atMost: 65_536)
        }
    }

    /// The longest wait for output.
    private static let step = Duration.milliseconds(100)
    /// More than the contents of a full pipe, which has 64 KiB (pipe(7)).
    private static let lastBlocks = 4

    /// Whether the program has ended; it still exists for `waitpid`.
    private var hasEnded: Bool {
        var info = siginfo_t()
        let options = WEXITED | WNOHANG | WNOWAIT
        return waitid(P_PID, id_t(id), &info, options) != 0 || info.si_signo == SIGCHLD
    }

    private func ending() -> Ending {
        var status: CInt = 0
        while waitpid(id, &status, 0) < 0 {
            guard errno == EINTR else { return .exited(code: -1) }
        }
        let signal = status & 0x7F
        return signal == 0 ? .exited(code: status >> 8 & 0xFF) : .killed(signal: signal)
    }
}
