import State
import Testing

struct SeenSerialsTests {
    private static func lineage(_ text: String) -> StateLineage { StateLineage(text: text) }

    @Test func `keeps the highest serial of each state`() {
        var seen = KnownSerials(text: "b 3\na 7\nb 9\nb 4\n")
        #expect(seen[Self.lineage("a")] == StateSerial(number: 7))
        #expect(seen[Self.lineage("b")] == StateSerial(number: 9))
        #expect(seen[Self.lineage("c")] == nil)
        let rises = [("b", 9), ("b", 10), ("c", 0)].map { name, number in
            seen.raise(Self.lineage(name), to: StateSerial(number: number))
        }
        #expect(rises == [false, true, true])
        #expect(seen.text == "a 7\nb 10\nc 0\n")
    }

    @Test(arguments: ["", "\n\n", "a", "a b", "a -1", "a 1 2", "a 99999999999999999999"])
    func `ignores invalid lines`(text: String) {
        #expect(KnownSerials(text: text).text == "")
    }

    @Test func `stores which state was seen at each path`() {
        let path = "/srv/ada/spring tide/100%\n/.herald/local.sqlite"
        var seen = KnownSerials(text: "aa 3\n")
        #expect(seen.lineage(at: path) == nil)
        let changes = [Self.lineage("aa"), Self.lineage("aa"), Self.lineage("bb")].map {
            seen.place($0, at: path)
        }
        #expect(changes == [true, false, true])
        #expect(seen.text == "aa 3\nat bb /srv/ada/spring%20tide/100%25%0A/.herald/local.sqlite\n")
        let read = KnownSerials(text: seen.text)
        #expect(read == seen && read.lineage(at: path) == Self.lineage("bb"))
        #expect(read.lineage(at: "/srv/ada/spring") == nil)
        let isForgotten = seen.place(nil, at: path)
        #expect(isForgotten && seen.text == "aa 3\n")
    }

    @Test func `stores which state was seen on each server`() {
        var seen = KnownSerials(text: "")
        seen.place(Self.lineage("aa"), at: "postgres://db.example:5432/push")
        #expect(seen.text == "at aa postgres://db.example:5432/push\n")
        let read = KnownSerials(text: seen.text)
        #expect(read.lineage(at: "postgres://db.example:5432/push") == Self.lineage("aa"))
        #expect(read.lineage(at: "postgres://db.example:5432/other") == nil)
    }

    @Test(arguments: ["at aa", "at aa path", "at aa /a b", "at"])
    func `ignores lines that do not describe a path`(text: String) {
        #expect(KnownSerials(text: text).text == "")
    }

    @Test func `stores the head of the history next to the serial`() {
        let lineage = StateLineage(text: "aa")
        let head = ChainHead(count: 7, hash: String(repeating: "0f", count: 32))
        var seen = KnownSerials(text: "aa 3\nbb 4 nonsense\n")
        #expect(seen.text == "aa 3\n")
        let isNew = seen.keep(head, of: lineage)
        let isNewAgain = seen.keep(head, of: lineage)
        #expect(isNew && !isNewAgain)
        #expect(seen.text == "aa 3 \(head)\n")
        #expect(KnownSerials(text: seen.text) == seen)
        seen.keep(nil, of: lineage)
        #expect(seen.text == "aa 3\n" && seen.head(of: lineage) == nil)
    }
}
