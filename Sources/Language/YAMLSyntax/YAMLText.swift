internal import Diagnostics

/// The bytes of a source in valid UTF-8, without the characters that YAML forbids.
struct YAMLText {
    let bytes: [UInt8]
    let source: SourceID
    /// The beginning of the text, after any byte order mark.
    let start: Int
    /// Whether only ASCII follows `start`.
    let isASCII: Bool
    /// The offsets of escaped surrogate pairs that are read as one character.
    let pairs: [Int]

    var body: ArraySlice<UInt8> { bytes[start...] }

    func span(_ range: Range<Int>) -> SourceSpan {
        SourceSpan(source: source, start: range.lowerBound, end: range.upperBound)
    }
}

extension YAMLText {
    /// Reports the first place that makes the bytes unreadable as YAML, and then returns nil.
    static func check(
        _ bytes: [UInt8],
        source: SourceID,
        into log: inout DiagnosticLog
    ) -> YAMLText? {
        let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        let text = YAMLText(
            bytes: bytes,
            source: source,
            start: start,
            isASCII: bytes[start...].allSatisfy { $0 < 0x80 },
            pairs: []
        )
        guard let problem = text.encodingProblem() ?? text.forbiddenCharacter() else { return text }
        log.report(problem)
        return nil
    }

    private func encodingProblem() -> Diagnostic? {
        if let wide = WideEncoding(bytes) {
            return Diagnostic(
                rule: .notUTF8,
                message: "this file is \(wide.name), not UTF-8",
                span: span(0..<wide.length),
                label: "\(wide.sign) of \(wide.name)",
                help: ["save the file as UTF-8"]
            )
        }
        if isASCII || String(validating: bytes, as: UTF8.self) != nil { return nil }
        return firstInvalidSequence().map { range in
            Diagnostic(
                rule: .notUTF8,
                message: "this file is not UTF-8",
                span: span(range),
                label: "not a UTF-8 character",
                help: ["save the file as UTF-8"]
            )
        }
    }

    private func firstInvalidSequence() -> Range<Int>? {
        var offset = 0
        var iterator = bytes.makeIterator()
        var parser = UTF8.ForwardParser()
        while true {
            switch parser.parseScalar(from: &iterator) {
            case .valid(let encoded): offset += encoded.count
            case .error(let length): return offset..<offset + length
            case .emptyInput: return nil
            }
        }
    }

    /// YAML 1.2.2, section 5.1, allows printable characters; libyaml agrees.
    private func forbiddenCharacter() -> Diagnostic? {
        guard let start = firstForbiddenCharacter else { return nil }
        let length = bytes[start] < 0x80 ? 1 : bytes[start] < 0xE0 ? 2 : 3
        let range = start..<start + length
        let character = String(decoding: bytes[range], as: UTF8.self).unicodeScalars.first
        let code = String(character?.value ?? 0, radix: 16, uppercase: true)
        let name = "U+" + String(repeating: "0", count: max(0, 4 - code.count)) + code
        return Diagnostic(
            rule: .yamlSyntax,
            message: "YAML does not allow the character \(name)",
            span: span(range),
            help: ["write it as an escape sequence in double quotes"]
        )
    }

    private var firstForbiddenCharacter: Int? {
        let bytes = bytes.span
        for offset in bytes.indices {
            let byte = bytes[offset]
            let isOrdinary = (0x20..<0x7F).contains(byte) || byte == 0x0A
            if !isOrdinary, isForbiddenCharacter(at: offset) { return offset }
        }
        return nil
    }

    private func isForbiddenCharacter(at offset: Int) -> Bool {
        switch bytes[offset] {
        case 0x09, 0x0A, 0x0D: false
        case 0x00..<0x20, 0x7F: true
        case 0xC2: (0x80..<0xA0).contains(bytes[offset + 1]) && bytes[offset + 1] != 0x85
        case 0xEF: bytes[offset + 1] == 0xBF && bytes[offset + 2] >= 0xBE
        default: false
        }
    }
}

/// An encoding with two or four bytes per character, detected from the beginning of a text (YAML
/// 1.2.2, section 5.2).
private struct WideEncoding {
    let name: String
    /// The evidence for the encoding, and its length in bytes.
    let sign: String
    let length: Int

    init?(_ bytes: [UInt8]) {
        let start = bytes.prefix(4).map { $0 }
        let isZero = start.map { $0 == 0 }
        let (mark, first) = ("the byte order mark", "the first character")
        if start == [0xFF, 0xFE, 0, 0] || start == [0, 0, 0xFE, 0xFF] {
            (name, sign, length) = ("UTF-32", mark, 4)
        } else if start.starts(with: [0xFF, 0xFE]) || start.starts(with: [0xFE, 0xFF]) {
            (name, sign, length) = ("UTF-16", mark, 2)
        } else if isZero == [false, true, true, true] || isZero == [true, true, true, false] {
            (name, sign, length) = ("UTF-32", first, 4)
        } else if isZero == [false, true, false, true] || isZero == [true, false, true, false] {
            (name, sign, length) = ("UTF-16", first, 2)
        } else {
            return nil
        }
    }
}
