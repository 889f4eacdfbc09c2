import Glibc
import Synchronization

extension File {
    /// Creates a file without a name, which only this process can open.
    ///
    /// It disappears when it is closed, even if the process is killed. Only its owner can read the
    /// file during the short time in which it has a name.
    package static func unnamed(in folder: String) throws(SystemError) -> File {
        while true {
            let number = unnamedCount.add(1, ordering: .relaxed).newValue
            let path = "\(folder)/.herald-unnamed-\(CurrentProcess.id)-\(number)"
            do throws(SystemError) {
                let file = try File(path, for: .readingAndWriting, options: [.new, .refusingLinks])
                try FileSystem.delete(path)
                return file
            } catch {
                // Another process with this number left it behind.
                guard error == .alreadyExists else { throw error }
            }
        }
    }
}

private let unnamedCount = Atomic<Int>(0)
