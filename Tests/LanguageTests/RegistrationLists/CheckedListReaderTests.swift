import CampaignModel
import RegistrationLists
import Testing

struct CheckedListReaderTests {
    private let folder: ListFolder

    init() throws {
        folder = try ListFolder("a\nb\nc\nd\ne\n")
    }

    private func reader() throws -> CheckedListReader {
        let id = try folder.survey().id
        return try CheckedListReader(
            ListContent(folder.list),
            directory: folder.directory,
            fingerprinter: ListFolder.fingerprinter,
            expected: id
        )
    }

    @Test func `reads chunks of the requested size`() throws {
        var reader = try reader()
        #expect(try reader.next(2).map(\.registration.token) == ["a", "b"])
        #expect(try reader.next(2).map(\.registration.token) == ["c", "d"])
        #expect(try reader.next(2).map(\.registration.token) == ["e"])
        #expect(try reader.next(2) == [])
        #expect(try reader.next(2) == [])
    }

    @Test func `an empty chunk follows a chunk that ends the list`() throws {
        var reader = try reader()
        #expect(try reader.next(5).count == 5)
        #expect(try reader.next(5) == [])
    }

    @Test(arguments: [
        "a\nb\nc\nd\n", "a\nb\nc\nd\ne\nf\n", "a\nb\nc\nd\nx\n", "b\na\nc\nd\ne\n", "",
    ])
    func `detects a different list at its end`(text: String) throws {
        let id = try folder.survey().id
        try folder.rewrite(text)
        var reader = try CheckedListReader(
            ListContent(folder.list),
            directory: folder.directory,
            fingerprinter: ListFolder.fingerprinter,
            expected: id
        )
        do {
            while try !reader.next(2).isEmpty {}
            Issue.record("the change was not detected")
        } catch {
            #expect(error == .changed(path: "lists/a.txt"))
        }
    }

    @Test func `a newly broken line is a change`() throws {
        let id = try folder.survey().id
        try folder.rewrite("a\nnot a registration\n")
        var reader = try CheckedListReader(
            ListContent(folder.list),
            directory: folder.directory,
            fingerprinter: ListFolder.fingerprinter,
            expected: id
        )
        do {
            _ = try reader.next(5)
            Issue.record("the change was not detected")
        } catch {
            #expect(error == .changed(path: "lists/a.txt"))
        }
    }

    @Test func `comments and line ends may change`() throws {
        let id = try folder.survey().id
        try folder.rewrite("# anglers\r\na\r\nb\r\nc\r\nd\r\ne")
        var reader = try CheckedListReader(
            ListContent(folder.list),
            directory: folder.directory,
            fingerprinter: ListFolder.fingerprinter,
            expected: id
        )
        #expect(try reader.next(9).count == 5)
    }
}
