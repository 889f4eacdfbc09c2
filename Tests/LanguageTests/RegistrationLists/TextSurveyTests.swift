import CampaignModel
import FoundationEssentials
import RegistrationLists
import SystemIO
import TestSupport
import Testing

/// Lists of text, which all cores read together.
struct TextSurveyTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func survey(_ list: RegistrationList) throws(RegistrationListError) -> ListSurvey {
        try ListSurvey(
            list,
            directory: folder.path,
            fingerprinter: ListFolder.fingerprinter
        )
    }

    private static let csv = RegistrationFile(
        path: "a.csv",
        format: .csv,
        kind: .token,
        column: "registration",
        identity: nil,
        reading: .atApply
    )

    /// The hashes are by Python's `hashlib` and an implementation of SipHash in Python, from the
    /// description of a content ID.
    @Test(arguments: [
        (1, "6ef6abb60a1d24176c260437779300437064ac22508ebc0751209d78ed3b6b1a"),
        (4_096, "90695ebf20c82f9c58aca6f0cd367817c0a5dfefdfd9f770ec52143ccbb6601d"),
        (4_097, "454c48d4bb3f13a2b4b7d449967e55a68583369abfe6daeb06bd382242f3e37e"),
        (8_192, "6125eb52d0edcf80360522f6133a9db0c20460d1e5e95bfe4c1294fcbd868373"),
        (20_000, "09c11081a8f3828f890e547b38d9f1c8c528b91b3c58b63afedcb04a12c2a381"),
    ])
    func `the content ID is that of the registrations in each format`(
        count: Int,
        id: String
    ) throws {
        let lines = (0..<count).map { "device:\($0)" }
        try folder.write("a.txt", lines.joined(separator: "\n"))
        try folder.write("b.txt", "\u{FEFF}# é\r\n\r\n" + lines.joined(separator: "\r\n# x\r\n"))
        try folder.write("a.csv", "registration\n" + lines.joined(separator: "\n"))
        let text = try survey(.file(path: "a.txt"))
        #expect(text.id.text == id)
        #expect(text.count == count)
        let marked = try survey(.file(path: "b.txt"))
        #expect(marked.id.text == id)
        let table = try survey(.described(Self.csv))
        #expect(table.id.text == id)
        #expect(table.fingerprints.inOrder() == text.fingerprints.inOrder())
        #expect(marked.fingerprints.inOrder() == text.fingerprints.inOrder())
    }

    @Test func `several files are one list across blocks of hashes`() throws {
        let lines = (0..<10_000).map { "device:\($0)\n" }
        try folder.write("whole.txt", lines.joined())
        for (part, range) in [0..<4_000, 4_000..<4_200, 4_200..<10_000].enumerated() {
            try folder.write("part-\(part).txt", lines[range].joined())
        }
        let parts = try survey(.file(path: "part-*.txt"))
        #expect(try parts.id == survey(.file(path: "whole.txt")).id)
    }

    @Test(arguments: [3, 70_000])
    func `a repeated registration is named with both lines`(count: Int) throws {
        let lines = (0..<count).map { "device:\($0)\n" }
        try folder.write("a.txt", "# first\n" + lines.joined() + "device:1\n")
        let error = RegistrationListError.repeated(
            line: count + 2,
            first: 3,
            path: "a.txt",
            count: 1
        )
        #expect(throws: error) { try survey(.file(path: "a.txt")) }
    }

    @Test func `a broken line in a long list is named with its place`() throws {
        let lines = (0..<200_000).map { "device:\($0)\n" }
        try folder.write("a.txt", lines.joined() + "not one\n" + "device:x\n")
        do {
            _ = try survey(.file(path: "a.txt"))
            Issue.record("the list is valid")
        } catch {
            guard case .brokenLines(let broken, _, let count) = error else {
                Issue.record("\(error)")
                return
            }
            #expect(count == 1)
            #expect(broken.map(\.number) == [200_001])
        }
    }
}
