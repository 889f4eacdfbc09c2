import Glibc

/// A thread with all signals blocked, which other threads of the program then handle.
///
/// Writing to a closed connection is therefore an error in it, instead of a SIGPIPE. The caller
/// joins or detaches the thread once.
package struct SystemThread: Sendable {
    private let handle: pthread_t

    /// Starts a thread; nil if that is impossible.
    ///
    /// The thread releases `body` before it ends.
    package init?(_ body: @escaping @Sendable () -> Void) {
        let context = Unmanaged.passRetained(Body(run: body))
        var every = sigset_t()
        var former = sigset_t()
        sigfillset(&every)
        pthread_sigmask(SIG_SETMASK, &every, &former)
        defer { pthread_sigmask(SIG_SETMASK, &former, nil) }
        var handle = pthread_t()
        let failure = pthread_create(
            &handle,
            nil,
            { context in
                if let context {
                    Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run()
                }
                return nil
            },
            context.toOpaque()
        )
        guard failure == 0 else {
            context.release()
            return nil
        }
        self.handle = handle
    }

    /// A class, because it is passed to the thread by reference.
    private final class Body: Sendable {
        let run: @Sendable () -> Void

        init(run: @escaping @Sendable () -> Void) {
            self.run = run
        }
    }

    /// Waits for the end of the thread.
    package func join() {
        pthread_join(handle, nil)
    }

    /// Leaves the thread to end by itself.
    package func detach() {
        pthread_detach(handle)
    }
}
