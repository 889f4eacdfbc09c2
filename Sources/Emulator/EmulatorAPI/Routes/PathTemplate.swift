import SystemIO
import Text

/// A path with named parameters, such as `/v1/projects/{project}/messages:send`.
///
/// A parameter is a whole segment, or the part of a segment before a verb, as in
/// `{account}:generateAccessToken`. It is never empty. A path has at most three parameters.
struct PathTemplate: Sendable {
    private enum Segment {
        case literal([UInt8])
        case parameter(suffix: [UInt8])
    }

    let text: String
    let parameterNames: [String]
    private let segments: [Segment]

    init(_ text: String) {
        self.text = text
        var names: [String] = []
        segments = text.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
            .map { segment in
                guard segment.first == "{", let end = segment.firstIndex(of: "}") else {
                    return .literal(Array(segment.utf8))
                }
                names.append(String(segment[..<end].dropFirst()))
                return .parameter(suffix: Array(segment[end...].dropFirst().utf8))
            }
        parameterNames = names
    }

    /// Returns the parameters of a path, or nil if it does not match.
    func match(_ path: Substring) -> PathParameters? {
        var parameters = PathParameters(path: path)
        let isMatch = path.utf8.withContiguousStorageIfAvailable { bytes in
            match(bytes, into: &parameters)
        }
        return isMatch == true ? parameters : nil
    }

    private func match(
        _ bytes: UnsafeBufferPointer<UInt8>,
        into parameters: inout PathParameters
    ) -> Bool {
        var position = 0
        for segment in segments {
            guard position < bytes.count, bytes[position] == UInt8(ascii: "/") else { return false }
            let start = position + 1
            position = start
            while position < bytes.count, bytes[position] != UInt8(ascii: "/") { position += 1 }
            let written = bytes[start..<position]
            switch segment {
            case .literal(let literal):
                guard written.isWritten(literal) else { return false }
            case .parameter(let suffix):
                guard written.count > suffix.count, written.suffix(suffix.count).isWritten(suffix)
                else { return false }
                parameters.append(start..<position - suffix.count)
            }
        }
        return position == bytes.count
    }
}

/// The parameters of a path, in template order.
package struct PathParameters: Sendable {
    private let path: Substring
    private var ranges = (0..<0, 0..<0, 0..<0)
    private var count = 0

    fileprivate init(path: Substring) {
        self.path = path
    }

    /// Returns a percent-decoded parameter, or an empty string if the template has no such index.
    subscript(index: Int) -> String {
        let range =
            switch index {
            case 0: ranges.0
            case 1: ranges.1
            default: ranges.2
            }
        let bytes = path.utf8
        let start = bytes.index(bytes.startIndex, offsetBy: range.lowerBound)
        return path[start..<bytes.index(start, offsetBy: range.count)].percentDecoded
    }

    fileprivate mutating func append(_ range: Range<Int>) {
        switch count {
        case 0: ranges.0 = range
        case 1: ranges.1 = range
        default: ranges.2 = range
        }
        count += 1
    }
}

extension Slice<UnsafeBufferPointer<UInt8>> {
    /// Returns whether the bytes equal a literal, directly or percent-encoded.
    fileprivate func isWritten(_ literal: [UInt8]) -> Bool {
        let isSame = literal.withUnsafeBufferPointer { bytes in
            guard !bytes.isEmpty else { return false }
            let written = UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: self))
            return written.hasSameBytes(as: UnsafeRawBufferPointer(bytes))
        }
        guard !isSame else { return true }
        guard contains(UInt8(ascii: "%")) else { return count == 0 && literal.isEmpty }
        return Substring(decoding: self, as: UTF8.self).percentDecoded.utf8.elementsEqual(literal)
    }
}
