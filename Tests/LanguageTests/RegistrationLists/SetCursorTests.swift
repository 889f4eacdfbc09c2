import CampaignModel
import RegistrationLists
import SystemIO
import TestSupport
import Testing

struct SetCursorTests {
    private typealias Dropped = ListComposition.Dropped

    private let folder: TemporaryFolder

    /// `anglers` and `sailors` share the registration `both:1` and the person `ana`.
    init() throws {
        folder = try TemporaryFolder()
        try write("anglers", "ana:1,ana,Ana", "both:1,bo,Bo", "caro:1,caro,Caro")
        try write("sailors", "both:1,bo,Captain Bo", "ana:2,ana,Captain Ana", "dan:1,dan,")
        try write("staff", "ana:3,ana,Boss")
    }

    private func write(_ name: String, _ rows: String...) throws {
        let lines = ["registration,user,name"] + rows
        try folder.write("\(name).csv", lines.joined(separator: "\n") + "\n")
    }

    private func part(_ name: String, identity: String? = nil) -> ListSet.Part {
        let file = RegistrationFile(
            path: "\(name).csv",
            format: .csv,
            kind: .token,
            column: "registration",
            identity: identity,
            reading: .atApply
        )
        return ListSet.Part(AudienceID(name), list: .described(file))
    }

    private func set(
        _ operation: ListSet.Operation = .union,
        of names: [String],
        except excluded: [String] = [],
        by identity: String? = nil
    ) -> RegistrationList {
        .set(
            ListSet(
                operation,
                of: names.map { part($0, identity: identity) },
                except: excluded.map { part($0, identity: identity) }
            )
        )
    }

    private func survey(
        _ list: RegistrationList,
        messages: [MessageColumns] = []
    ) throws(RegistrationListError) -> ListSurvey {
        try ListSurvey(
            list,
            messages: messages,
            directory: folder.path,
            fingerprinter: ListFolder.fingerprinter
        )
    }

    private func tokens(_ list: RegistrationList) throws -> [String] {
        var reader = try RegistrationReader(list, directory: folder.path)
        var tokens: [String] = []
        while let entry = try reader.next() {
            if case .registration(let registration) = entry { tokens.append(registration.token) }
        }
        return tokens
    }

    // MARK: - Operations

    @Test func `a union has the rows of its lists in their order, each once`() throws {
        let union = set(of: ["anglers", "sailors"])
        #expect(try tokens(union) == ["ana:1", "both:1", "caro:1", "ana:2", "dan:1"])
        #expect(try survey(union).count == 5)
    }

    @Test func `all_of compares registrations if no list has an identity`() throws {
        #expect(try tokens(set(.allOf, of: ["anglers", "sailors"])) == ["both:1"])
    }

    @Test func `all_of by identity has every registration of the people in all lists`() throws {
        let common = set(.allOf, of: ["anglers", "sailors"], by: "user")
        #expect(try tokens(common) == ["ana:1", "both:1", "ana:2"])
    }

    @Test func `except leaves out registrations, or people by identity`() throws {
        #expect(
            try tokens(set(of: ["anglers"], except: ["sailors"])) == ["ana:1", "caro:1"]
        )
        #expect(
            try tokens(set(of: ["anglers"], except: ["staff"])) == ["ana:1", "both:1", "caro:1"]
        )
        #expect(
            try tokens(set(of: ["anglers"], except: ["staff"], by: "user")) == ["both:1", "caro:1"]
        )
    }

    @Test func `except by identity also leaves out the excluded registrations themselves`() throws {
        try write("staff", "caro:1,eve,")
        let rest = set(of: ["anglers"], except: ["staff"], by: "user")
        #expect(try tokens(rest) == ["ana:1", "both:1"])
    }

    @Test func `rows are compared by registration if one list has no identity`() throws {
        let staff = part("staff")
        let list = RegistrationList.set(
            ListSet(of: [part("anglers", identity: "user")], except: [staff])
        )
        #expect(try tokens(list) == ["ana:1", "both:1", "caro:1"])
        #expect(try survey(list).composition?.basis == .registration)
        #expect(try survey(list).identities?.count == 3)
    }

    @Test func `identities are known only if every combined list has them`() throws {
        let mixed = RegistrationList.set(
            ListSet(of: [part("anglers", identity: "user"), part("sailors")])
        )
        #expect(try survey(mixed).identities == nil)
        #expect(try survey(set(of: ["anglers", "sailors"], by: "user")).composition?.people == 4)
    }

    @Test func `a set may contain sets and lists of other formats`() throws {
        try folder.write("more.txt", "more:1\nboth:1\n")
        let union = ListSet.Part(AudienceID("all"), list: set(of: ["anglers", "sailors"]))
        let more = ListSet.Part(list: .file(path: "more.txt"))
        let list = RegistrationList.set(ListSet(of: [more, union], except: [part("anglers")]))
        #expect(try tokens(list) == ["more:1", "ana:2", "dan:1"])
        let composition = try #require(try survey(list).composition)
        #expect(composition.parts.map(\.name) == ["more.txt", "all"])
        #expect(composition.parts.map(\.count) == [2, 5])
        #expect(composition.parts.last?.composition?.dropped == Dropped(repeated: 1))
        #expect(composition.dropped == Dropped(repeated: 1, excluded: 3))
    }

    // MARK: - Counts

    @Test func `the counts explain the size of a union`() throws {
        let list = set(of: ["anglers", "sailors"], except: ["staff"], by: "user")
        let found = try survey(list)
        let composition = try #require(found.composition)
        #expect(composition.basis == .identity(columns: ["user"]))
        #expect(composition.parts.map(\.count) == [3, 3])
        #expect(composition.excluded.map(\.count) == [1])
        #expect(composition.dropped == Dropped(repeated: 1, excluded: 2))
        #expect(composition.count == found.count && found.count == 3)
        #expect(composition.people == 3)
    }

    @Test func `the counts explain the size of an intersection`() throws {
        let found = try survey(set(.allOf, of: ["anglers", "sailors"], by: "user"))
        let composition = try #require(found.composition)
        #expect(composition.dropped == Dropped(unmatched: 2, repeated: 1))
        #expect(composition.combinedCount == 3 && composition.count == found.count)
    }

    // MARK: - Columns

    private static let name = MessageColumns(names: ["name"], defaults: [:], sizes: [])

    @Test func `values come from the first list that has the row`() throws {
        let content = ListContent(set(of: ["anglers", "sailors"]), columns: Self.name)
        let found = try survey(content.list, messages: [Self.name])
        let message = try #require(found[Self.name])
        #expect(message.missing.map(\.count) == [1])
        #expect(message.missing.first?.path == "sailors.csv" && message.missing.first?.line == 4)
        var reader = try CheckedListReader(
            content,
            directory: folder.path,
            fingerprinter: ListFolder.fingerprinter,
            expected: message.id
        )
        #expect(
            try reader.next(9).map(\.values) == [["Ana"], ["Bo"], ["Caro"], ["Captain Ana"], [""]]
        )
    }

    @Test func `a list without columns has empty values`() throws {
        try folder.write("more.txt", "more:1\n")
        let more = ListSet.Part(list: .file(path: "more.txt"))
        let list = RegistrationList.set(ListSet(of: [more, part("anglers")]))
        let found = try survey(list, messages: [Self.name])
        #expect(found.absent.isEmpty)
        #expect(found[Self.name]?.missing.first?.path == "more.txt")
    }

    @Test func `a column that no list has is absent`() throws {
        let port = MessageColumns(names: ["port"], defaults: [:], sizes: [])
        let found = try survey(set(of: ["anglers", "sailors"]), messages: [port])
        #expect(found.absent == ["port"])
    }

    // MARK: - Content

    @Test func `the content ID covers the operation, the comparison and every list`() throws {
        var ids = [
            try survey(set(of: ["anglers", "sailors"])).id,
            try survey(set(of: ["anglers", "sailors"], by: "user")).id,
            try survey(set(of: ["sailors", "anglers"])).id,
            try survey(set(of: ["anglers", "sailors"], except: ["staff"])).id,
            try survey(set(.allOf, of: ["anglers"])).id,
            try survey(set(of: ["anglers"])).id,
            try survey(part("anglers").list).id,
        ]
        // It removes no row, but it is an excluded list.
        try write("staff", "eve:1,eve,Eve")
        ids.append(try survey(set(of: ["anglers", "sailors"], except: ["staff"])).id)
        #expect(Set(ids).count == ids.count)
        #expect(try survey(set(of: ["anglers", "sailors"])).id == ids[0])
    }

    @Test(arguments: ["anglers", "sailors", "staff"])
    func `a change of any list is detected when the set is sent`(name: String) throws {
        let content = ListContent(set(of: ["anglers", "sailors"], except: ["staff"]))
        let id = try survey(content.list).id
        try write(name, "eve:1,eve,Eve")
        var reader = try CheckedListReader(
            content,
            directory: folder.path,
            fingerprinter: ListFolder.fingerprinter,
            expected: id
        )
        do {
            while try !reader.next(2).isEmpty {}
            Issue.record("the change was not detected")
        } catch {
            #expect(error == .changed(path: nil))
        }
    }

    // MARK: - Errors

    @Test func `an empty set is an error`() throws {
        #expect(throws: RegistrationListError.empty(path: nil)) {
            try survey(set(of: ["anglers"], except: ["anglers"]))
        }
    }

    @Test(arguments: ["anglers", "staff"])
    func `a broken line names its file`(name: String) throws {
        try folder.write("\(name).csv", "registration,user,name\na b,ana,Ana\n")
        let list = set(of: ["anglers", "sailors"], except: ["staff"])
        do throws(RegistrationListError) {
            _ = try survey(list)
            Issue.record("the line was accepted")
        } catch {
            guard case .brokenLines(let lines, let path, let count) = error else {
                Issue.record(error)
                return
            }
            #expect(lines.map(\.number) == [2] && path == "\(name).csv" && count == 1)
        }
    }

    @Test func `every list of a set must be within the bounds`() throws {
        let elsewhere = try TemporaryFolder()
        let list = set(of: ["anglers", "sailors"])
        for (bounds, isInside) in [(folder.path, true), (elsewhere.path, false)] {
            let surveys = ListSurveys(
                of: [list],
                directory: folder.path,
                fingerprinter: ListFolder.fingerprinter,
                bounds: FolderBounds(bounds)
            )
            #expect((try? surveys[list]?.get())?.count == (isInside ? 5 : nil))
        }
    }
}
