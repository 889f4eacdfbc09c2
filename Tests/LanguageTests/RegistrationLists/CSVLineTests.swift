import RegistrationLists
import Testing

struct CSVLineTests {
    private static func text(_ records: [String]...) -> String {
        var line = CSVLine()
        var bytes: [UInt8] = []
        for record in records {
            for field in record { line.append(Array(field.utf8)) }
            bytes += line.finish()
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test func `quotes only fields that need it`() {
        #expect(Self.text(["a", "b c", "", "ü"], ["1"]) == "a,b c,,ü\n1\n")
        #expect(
            Self.text(["a,b", "say \"hi\"", "x\ny", "\r"])
                == "\"a,b\",\"say \"\"hi\"\"\",\"x\ny\",\"\r\"\n"
        )
    }

    @Test func `a record with one empty field is not an empty line`() {
        #expect(Self.text(["a"], [""]) == "a\n\"\"\n")
        #expect(Self.text(["a", "b"], ["", ""]) == "a,b\n,\n")
    }
}
