import SystemIO
import Testing

/// Tests the reader of /proc/PID/mountinfo; the lines are from proc_pid_mountinfo(5) and from
/// machines with the named file systems.
struct MountTests {
    private static let table = """
        22 1 254:0 / / rw,relatime shared:1 - ext4 /dev/vda rw
        36 22 98:0 /mnt1 /srv rw,noatime master:1 - nfs4 10.0.0.1:/srv rw,errors=continue
        37 22 98:1 / /srv/local\\040disk rw - xfs /dev/sdb rw
        38 22 0:44 / /team rw shared:7 master:9 - fuse.sshfs ines@host: rw
        39 38 254:0 /x/dev.sqlite /team/dev.sqlite rw - ext4 /dev/vda rw
        40 22 0:45 / /twice rw - tmpfs none rw
        41 40 0:46 / /twice rw - cifs //server/share rw
        broken line

        """

    private static let expected: [(String, String, String, Bool)] = [
        ("/etc/passwd", "/", "ext4", false),
        ("/srv", "/srv", "nfs4", true),
        ("/srv/a/b", "/srv", "nfs4", true),
        ("/srvother", "/", "ext4", false),
        ("/srv/local disk/a", "/srv/local disk", "xfs", false),
        ("/team/push/.herald", "/team", "fuse.sshfs", true),
        ("/team/dev.sqlite", "/team/dev.sqlite", "ext4", false),
        ("/twice/a", "/twice", "cifs", true),
    ]

    @Test(arguments: expected)
    func `finds the mount of a path`(
        path: String,
        point: String,
        type: String,
        isNetwork: Bool
    ) throws {
        let mount = try #require(Mount(of: path, in: Self.table))
        #expect(mount.point == point)
        #expect(mount.type == type)
        #expect(mount.isNetwork == isNetwork)
    }

    @Test func `finds this machine's mounts`() throws {
        #expect(try #require(Mount.of("/proc/self/status")).type == "proc")
        #expect(Mount.of("/no/such/file") == nil)
    }
}
