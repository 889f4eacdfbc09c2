import CampaignModel
import Presentation
import RegistrationLists
import SystemIO
import TestSupport
import Testing

@testable import HeraldCommands

struct SourceSpoolTests {
    private let folder: TemporaryFolder
    private let source: ListSourceID

    init() throws {
        folder = try TemporaryFolder()
        source = try #require(ListSourceID("vips"))
    }

    @Test func `stores the whole output in a file without a name`() throws {
        let spool = try SourceSpool(of: source, in: folder.path)
        for number in 0..<100_000 {
            let isStored = spool.append(Array("angler:\(number)\n".utf8))
            #expect(isStored)
        }
        #expect(try Folder.entries(of: folder.path).isEmpty)
        let lists = ProjectLists(
            directory: folder.path,
            outputs: [source: try spool.finish()]
        )
        let file = RegistrationFile(
            path: RegistrationFile.path(of: source),
            format: .text,
            kind: .token,
            column: nil,
            identity: nil,
            reading: .atApply,
            source: source
        )
        var reader = try RegistrationReader(.described(file), directory: lists)
        var count = 0
        while try reader.next() != nil { count += 1 }
        #expect(count == 100_000)
    }

    @Test func `refuses an output above the limit`() throws {
        let spool = try SourceSpool(of: source, in: folder.path, limit: 10)
        let first = spool.append(Array("angler:1\n".utf8))
        let second = spool.append(Array("angler:2\n".utf8))
        let third = spool.append([])
        #expect([first, second, third] == [true, false, false])
        #expect(
            spool.failure?.text.message == "the source `vips` writes more than 64 GiB"
        )
        #expect(throws: CommandFailure.self) { try spool.finish() }
    }

    @Test func `names a directory that takes no file`() {
        do {
            _ = try SourceSpool(of: source, in: folder.path + "/missing")
            Issue.record("no failure")
        } catch {
            #expect(
                error.text.message == "the output of the source `vips` cannot be stored in "
                    + "\(folder.path)/missing: No such file or directory"
            )
        }
    }
}
