import DeliveryModel
import Glibc
import JSON
import Testing

@testable import EmulatorAPI

struct LineIndexTests {
    @Test func `stores the offset of every line of a short file`() {
        var index = LineIndex()
        for line in 0..<4_096 { index.append(start: line * 10) }
        for line in [0, 1, 4_095] {
            #expect(index.nearest(before: line).line == line)
            #expect(index.nearest(before: line).start == line * 10)
        }
    }

    @Test func `stores the offset of a line near every line of a long file`() {
        var index = LineIndex()
        for line in 0..<40_000 { index.append(start: line * 10) }
        #expect(index.count == 40_000)
        for line in 0..<40_000 {
            let near = index.nearest(before: line)
            // 4,096 offsets for 40,000 lines: one in 16.
            #expect((line - 15...line).contains(near.line))
            #expect(near.start == near.line * 10)
        }
    }

    @Test func `a long log can be read from any line`() throws {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/requests.ndjson"
        var log = try RequestLog.reopened(at: path) { _ in }
        let request = EmulatorRequest(method: "GET", target: "/nowhere")
        let answer = RenderedAnswer(status: 404, bytes: Array("{}".utf8))
        for _ in 0..<9_000 {
            log.enter(
                LoggedExchange(request: request, answer: answer),
                of: "",
                at: DeliveryMoment(milliseconds: 0)
            )
        }
        try log.commit()
        let written = log.lines
        let lines = try #require(written)
        for after in [0, 1, 4_097, 8_998, 8_999] {
            let page = try Page(RequestTarget("/emulator/v1/requests?after=\(after)&limit=9000"))
            let filter = try RequestFilter(RequestTarget("/emulator/v1/requests"), in: "")
            let found = lines.elements(on: page, matching: filter)
            let part = try #require(found)
            let read = try #require(JSONValue(parsing: [0x5B] + part.elements + [0x5D])?.arrayValue)
            #expect(read.first?["seq"] == .integer(Int64(after + 1)))
            #expect(read.count == 9_000 - after)
            #expect(part.last == 9_000)
        }
        var numbers: [JSONValue?] = []
        let isRead = lines.forEach(after: 5_000) { line in
            numbers.append(line.value["seq"])
            return numbers.count < 3
        }
        #expect(isRead)
        #expect(numbers == [5_001, 5_002, 5_003])
    }
}
