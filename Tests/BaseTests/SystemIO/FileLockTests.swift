import SystemIO
import TestSupport
import Testing

struct FileLockTests {
    @Test func `allows one holder at a time, until it closes the file`() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/lock"
        let first = try FileLock(path)
        let second = try FileLock(path)
        let tries = [try first.tryLock(), try second.tryLock(), second.tryLock(attempts: 2)]
        #expect(tries == [true, false, false])
        let isHeld = try Self.isHeld(path)
        #expect(isHeld)
        Self.close(first)
        // A process that another test starts holds the file until it runs its program.
        let isFree = second.tryLock(attempts: 100)
        #expect(isFree)
    }

    private static func isHeld(_ path: String) throws -> Bool {
        try FileLock(existing: path).isHeld()
    }

    private static func close(_ lock: consuming FileLock) {}

    @Test func `the file describes the holder`() throws {
        let folder = try TemporaryFolder()
        let lock = try FileLock(folder.path + "/lock")
        try lock.setText("a long description")
        try lock.setText("pid 7")
        let text = try FileLock(existing: folder.path + "/lock").text()
        #expect(text == "pid 7")
    }

    @Test func `a check of the lock does not create a missing lock file`() throws {
        let folder = try TemporaryFolder()
        #expect(throws: SystemError.notFound) {
            _ = try FileLock(existing: folder.path + "/lock")
        }
    }
}
