import Glibc

/// The mounted file system that contains a file.
package struct Mount: Hashable, Sendable {
    /// The directory or file on which it is mounted.
    package let point: String
    /// The kernel's name for its type, such as `ext4`, `nfs4` or `fuse.sshfs`.
    package let type: String

    /// The mount of an existing path; nil if the kernel does not list it.
    package static func of(_ path: String) -> Mount? {
        guard let real = RealPath.of(path),
            case .bytes(let table) = FileContents(of: "/proc/self/mountinfo", limit: 16 << 20)
        else { return nil }
        return Mount(of: real, in: String(decoding: table, as: UTF8.self))
    }

    /// `table`: the format of `/proc/PID/mountinfo` (proc_pid_mountinfo(5)).
    package init?(of path: String, in table: String) {
        var found: Mount?
        for line in table.utf8.split(separator: UInt8(ascii: "\n")) {
            guard let mount = Mount(line: line), mount.contains(path) else { continue }
            // Of two mounts on one point, the later one hides the earlier one.
            if mount.point.utf8.count >= found?.point.utf8.count ?? 0 { found = mount }
        }
        guard let found else { return nil }
        self = found
    }

    /// Nil if the line does not have the documented form.
    private init?(line: Substring.UTF8View) {
        let fields = line.split(separator: UInt8(ascii: " "))
        // A variable number of optional fields ends with a hyphen.
        guard fields.count > 6,
            let separator = fields[6...].firstIndex(where: { $0.elementsEqual("-".utf8) }),
            separator + 1 < fields.count
        else { return nil }
        point = Self.unescaped(fields[4])
        type = Self.unescaped(fields[separator + 1])
    }

    private func contains(_ path: String) -> Bool {
        guard point != "/" else { return true }
        guard path.hasPrefix(point) else { return false }
        let rest = path.utf8.dropFirst(point.utf8.count)
        return rest.isEmpty || rest.first == UInt8(ascii: "/")
    }

    /// The kernel writes spaces, tabs, line ends and backslashes as `\` and three octal digits.
    private static func unescaped(_ field: Substring.UTF8View) -> String {
        var bytes: [UInt8] = []
        var rest = field[...]
        while let byte = rest.popFirst() {
            let digits = rest.prefix(3)
            guard byte == UInt8(ascii: "\\"), digits.count == 3,
                let code = UInt8(String(decoding: digits, as: UTF8.self), radix: 8)
            else {
                bytes.append(byte)
                continue
            }
            bytes.append(code)
            rest.removeFirst(3)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension Mount {
    /// Whether other machines may change its files.
    ///
    /// Their locks do not always exclude this machine's.
    package var isNetwork: Bool { Self.networkTypes.contains(type) }

    private static let networkTypes: Set = [
        "9p", "afs", "beegfs", "ceph", "cifs", "coda", "gfs2", "glusterfs", "gpfs", "lustre",
        "ncpfs", "nfs", "nfs4", "ocfs2", "smb3", "smbfs",
        "fuse.cephfs", "fuse.curlftpfs", "fuse.gcsfuse", "fuse.glusterfs", "fuse.juicefs",
        "fuse.mfs", "fuse.rclone", "fuse.s3fs", "fuse.sshfs",
    ]
}
