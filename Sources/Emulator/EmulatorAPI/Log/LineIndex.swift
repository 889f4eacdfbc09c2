/// The offsets of lines in a growing file, in constant memory.
///
/// It first stores the offset of every line. When there are many lines, it stores every second
/// offset, then every fourth, and so on.
struct LineIndex {
    /// Maximum number of stored offsets.
    private static let limit = 4_096

    /// Number of lines.
    private(set) var count = 0
    private var stride = 1
    /// The offsets of the lines whose number is a multiple of `stride`.
    private var starts: [Int] = []

    mutating func append(start: Int) {
        if count.isMultiple(of: stride) { keep(start) }
        count += 1
    }

    /// Returns the last line up to `line` whose offset is known; lines are counted from 0.
    func nearest(before line: Int) -> (line: Int, start: Int) {
        let position = min(line / stride, starts.count - 1)
        return position < 0 ? (0, 0) : (position * stride, starts[position])
    }

    private mutating func keep(_ start: Int) {
        if starts.count == Self.limit {
            starts = starts.enumerated().filter { $0.offset.isMultiple(of: 2) }.map(\.element)
            stride *= 2
            guard count.isMultiple(of: stride) else { return }
        }
        starts.append(start)
    }
}
