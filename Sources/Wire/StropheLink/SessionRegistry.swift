internal import Synchronization

/// Finds the session of a connection, for callbacks of libstrophe that pass nothing else.
///
/// Each session uses it only on its own thread.
enum SessionRegistry {
    private struct Entry: @unchecked Sendable {
        // Removed by the session's deinitializer.
        unowned(unsafe) let session: StropheSession
    }

    private static let sessions = Mutex<[UInt: Entry]>([:])

    @unsafe static func add(_ connection: OpaquePointer, _ session: StropheSession) {
        let entry = Entry(session: session)
        sessions.withLock { $0[UInt(bitPattern: connection)] = entry }
    }

    @unsafe static func remove(_ connection: OpaquePointer) {
        sessions.withLock { _ = $0.removeValue(forKey: UInt(bitPattern: connection)) }
    }

    @unsafe static func session(of connection: OpaquePointer?) -> StropheSession? {
        guard let connection = unsafe connection else { return nil }
        let entry = sessions.withLock { $0[UInt(bitPattern: connection)] }
        return unsafe entry?.session
    }
}
