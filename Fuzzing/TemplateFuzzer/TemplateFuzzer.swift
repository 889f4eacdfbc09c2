import CampaignModel
import FuzzChecks
import JSON

/// Reads any text as a template, and fills it with any values.
///
/// The parts of the input end with a zero byte: the template, and the values of its columns.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = unsafe [UInt8](UnsafeBufferPointer(start: start, count: count))
    let texts = bytes.split(separator: 0, omittingEmptySubsequences: false).map {
        String(decoding: $0, as: UTF8.self)
    }
    TemplateInput(text: texts.first ?? "", values: Array(texts.dropFirst())).check()
    return 0
}

struct TemplateInput {
    let text: String
    let values: [String]

    func check() {
        let template: TextTemplate
        do throws(TextTemplate.Fault) {
            template = try TextTemplate(parsing: text)
        } catch {
            let isInside = error.range.lowerBound >= 0 && error.range.upperBound <= text.utf8.count
            hold(isInside && !error.range.isEmpty, "a fault is outside of its text")
            hold(text.utf8.contains(UInt8(ascii: "{")), "a text without braces has a fault")
            return
        }
        for column in template.columns { checkPlace(of: column) }
        checkFilling(template)
    }

    private func checkPlace(of column: String) {
        guard let place = TextTemplate.place(of: column, in: text) else {
            return hold(false, "a column has no place")
        }
        let bytes = Array(text.utf8)[place]
        let isPlaceholder = bytes.starts(with: Array("{{".utf8)) && bytes.suffix(2) == [0x7D, 0x7D]
        hold(isPlaceholder, "a place has no braces")
    }

    /// A filled template is JSON, and its text is that of a replacement without this library.
    private func checkFilling(_ template: TextTemplate) {
        let columns = template.columns
        let object = JSONObject([JSONObject.Member(key: "t", value: .string(text))])
        let encoded = JSONTemplate(membersOf: object) { _ in
            template.parts.map { part in
                switch part {
                case .literal(let text): .literal(text)
                case .column(let name): .gap(columns.firstIndex(of: name) ?? 0)
                }
            }
        }
        let texts = columns.indices.map { values.isEmpty ? "" : values[$0 % values.count] }
        var writer = JSONWriter(layout: .compact)
        writer.append(json: "{")
        encoded.append(to: &writer, filling: texts)
        writer.append(json: "}")
        guard case .object(let read)? = JSONValue(parsing: writer.bytes) else {
            return hold(false, "a filled template is not JSON")
        }
        let expected = JSONValue.string(replaced(columns: columns, texts: texts))
        hold(read["t"] == expected && read.members.count == 1, "a filled template has another text")
    }

    /// Replaces from left to right, byte by byte.
    private func replaced(columns: [String], texts: [String]) -> String {
        let bytes = Array(text.utf8)
        var made: [UInt8] = []
        var place = 0
        while place < bytes.count {
            let isOpen = bytes[place...].starts(with: Array("{{".utf8))
            guard isOpen else {
                made.append(bytes[place])
                place += 1
                continue
            }
            var name: [UInt8] = []
            place += 2
            while !bytes[place...].starts(with: Array("}}".utf8)) {
                name.append(bytes[place])
                place += 1
            }
            place += 2
            while name.first == UInt8(ascii: " ") { name.removeFirst() }
            while name.last == UInt8(ascii: " ") { name.removeLast() }
            guard let index = columns.firstIndex(of: String(decoding: name, as: UTF8.self)) else {
                return "no such column"
            }
            made += Array(texts[index].utf8)
        }
        return String(decoding: made, as: UTF8.self)
    }
}
