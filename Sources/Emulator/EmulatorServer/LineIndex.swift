/// Where the lines of a file that only grows begin: of every line at first, of every second,
/// fourth and so on once there are many, so that it takes the same memory for a file of any length.
struct LineIndex {
    /// How many starts are kept, at most.
    private static let limit = 4_096

    /// How many lines there are.
    private(set) var count = 0
    private var stride = 1
    /// The starts of the lines whose number is a multiple of `stride`.
    private var starts: [Int] = []

    mutating func append(start: Int) {
        if count.isMultiple(of: stride) { keep(start) }
        count += 1
    }

    /// The last line up to this one whose start is known; lines are counted from 0.
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
