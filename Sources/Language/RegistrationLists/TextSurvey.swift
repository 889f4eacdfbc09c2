import CampaignModel
import SystemIO

/// One pass over the text files of a list, on all cores.
struct TextSurvey {
    private(set) var fingerprints: [Fingerprint] = []
    private(set) var places = RowPlaces()
    private let files: ListFiles
    private var hasher: ListHasher
    private let fingerprinter: Fingerprinter

    /// The bytes that are read before the cores divide them.
    private static let blockSize = 8 << 20
    private static let piecesPerBlock = 16

    /// Returns nil if a line is broken or unusual; the reader of lines then finds its place.
    ///
    /// - Throws: `.unreadable`.
    init?(
        _ list: RegistrationList,
        directory: any ListPlaces,
        fingerprinter: Fingerprinter
    ) throws(RegistrationListError) {
        guard list.path != nil, list.format == .text else { return nil }
        hasher = ListHasher(ListContent(list))
        self.fingerprinter = fingerprinter
        files = try ListFiles(of: list, in: directory)
        for (number, file) in files.all.enumerated() {
            do throws(RegistrationListError.Reason) {
                guard try read(file, number: number) else { return nil }
            } catch {
                throw .unreadable(path: file.path, reason: error)
            }
        }
    }

    func finish() -> ListID { hasher.finish() }

    /// The path of a file; nil unless the list is a pattern.
    func path(ofFile number: Int) -> String? { files.isPattern ? files.all[number].path : nil }

    /// Returns false if a line is broken.
    private mutating func read(
        _ file: ListFile,
        number: Int
    ) throws(RegistrationListError.Reason) -> Bool {
        var blocks = try file.open()
        var buffer: [UInt8] = []
        buffer.reserveCapacity(Self.blockSize + (1 << 20))
        var line = 1
        var isAtEnd = false
        var isFirst = true
        while !isAtEnd {
            while !isAtEnd, buffer.count < Self.blockSize {
                isAtEnd = try !blocks.append(to: &buffer)
            }
            let start = isFirst && buffer.starts(with: Self.byteOrderMark) ? 3 : 0
            isFirst = false
            let end = isAtEnd ? buffer.count : (buffer.lastIndex(of: UInt8(ascii: "\n")) ?? -1) + 1
            guard end > 0 || isAtEnd else { return false }
            guard add(start..<max(start, end), of: buffer, line: &line, file: number) else {
                return false
            }
            buffer.removeSubrange(..<end)
        }
        return true
    }

    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    private mutating func add(
        _ range: Range<Int>,
        of buffer: [UInt8],
        line: inout Int,
        file: Int
    ) -> Bool {
        let fingerprinter = fingerprinter
        let pieces = mapInParallel(Self.pieces(of: range, in: buffer), grain: 1) { range in
            TextLines(range, of: buffer, fingerprinter: fingerprinter)
        }
        guard pieces.allSatisfy({ !$0.isBroken }) else { return false }
        for piece in pieces {
            fingerprints += piece.fingerprints
            places.add(piece.numbers, from: line, file: file)
            line += Int(piece.count)
        }
        hasher.add(pieces.flatMap(\.rows), of: buffer)
        return true
    }

    /// Divides a block at the ends of lines.
    private static func pieces(of range: Range<Int>, in buffer: [UInt8]) -> [Range<Int>] {
        let size = max(65_536, range.count / piecesPerBlock)
        var pieces: [Range<Int>] = []
        buffer.withUnsafeBytes { bytes in
            let block = UnsafeRawBufferPointer(rebasing: bytes[..<range.upperBound])
            var start = range.lowerBound
            while start < range.upperBound {
                let end = block.offset(of: UInt8(ascii: "\n"), from: start + size)
                pieces.append(start..<(end.map { $0 + 1 } ?? range.upperBound))
                start = pieces[pieces.count - 1].upperBound
            }
        }
        return pieces
    }
}
