import SystemIO

/// Sorts rows by their subject in bounded memory.
///
/// Rows that do not fit are sorted and written to a file without a name as a run. Subjects are hashes,
/// so groups of them by their first bits have about the same size.
struct SubjectSort: ~Copyable {
    /// One row of an exposure: 24 bytes.
    struct Row: BitwiseCopyable {
        let subject: UInt64
        /// The number of the row over all exposures, times 256, plus the number of its arm.
        let place: UInt64
        /// The value from before the experiment; not a number without one.
        let covariate: Double

        init(subject: UInt64, number: Int, arm: UInt8, covariate: Double = .nan) {
            self.subject = subject
            place = UInt64(number) << 8 | UInt64(arm)
            self.covariate = covariate
        }

        var arm: UInt8 { UInt8(truncatingIfNeeded: place) }

        /// Orders subjects as the store does, which reads them as signed numbers.
        var key: UInt64 { subject ^ 1 << 63 }

        static func precedes(_ left: Row, _ right: Row) -> Bool {
            left.subject == right.subject ? left.place < right.place : left.key < right.key
        }
    }

    /// Rows that are held in memory: 24 MiB.
    static let standardLimit = 1 << 20
    private static let groupBits = 8
    static let groups = 1 << groupBits

    private let folder: String
    private let limit: Int
    private var held: [Row] = []
    private var file: File?
    /// The first row of each group in the file, and the end of the last one; by run.
    private var runs: [[Int]] = []

    /// - Parameters:
    ///   - folder: For a temporary file.
    ///   - limit: The maximum number of rows in memory.
    init(folder: String, limit: Int = standardLimit) {
        self.folder = folder
        self.limit = max(1, limit)
    }

    mutating func append(_ row: Row) throws(SystemError) {
        if held.count == limit { try writeRun() }
        held.append(row)
    }

    private mutating func writeRun() throws(SystemError) {
        if file == nil { file = try File.unnamed(in: folder) }
        held.sort(by: Row.precedes)
        let start = runs.last?.last ?? 0
        let failure = held.withUnsafeBytes { bytes in
            file?.problem(writing: bytes, at: start * MemoryLayout<Row>.stride)
        }
        if let failure { throw failure }
        runs.append(Self.bounds(of: held).map { start + $0 })
        held.removeAll(keepingCapacity: true)
    }

    /// The first row of each group, and the end of the last one.
    private static func bounds(of sorted: [Row]) -> [Int] {
        var bounds = [0]
        bounds.reserveCapacity(groups + 1)
        var place = 0
        for group in 0..<groups {
            while place < sorted.count, sorted[place].key >> (64 - groupBits) == UInt64(group) {
                place += 1
            }
            bounds.append(place)
        }
        return bounds
    }

    /// Returns the sorted rows.
    consuming func finish() -> SortedSubjects {
        held.sort(by: Row.precedes)
        return SortedSubjects(
            held: held,
            bounds: Self.bounds(of: held),
            file: file.take(),
            runs: runs
        )
    }
}

/// Rows in the order of their subjects, in groups that fit in memory.
struct SortedSubjects: ~Copyable {
    private let held: [SubjectSort.Row]
    private let bounds: [Int]
    private let file: File?
    private let runs: [[Int]]

    /// `bounds`: of the rows in memory; see `runs` of `SubjectSort`.
    init(held: [SubjectSort.Row], bounds: [Int], file: consuming File?, runs: [[Int]]) {
        self.held = held
        self.bounds = bounds
        self.file = file
        self.runs = runs
    }

    /// Returns the rows of a group in order, those of one subject in the order of their numbers.
    borrowing func rows(inGroup group: Int) throws(SystemError) -> [SubjectSort.Row] {
        var rows = Array(held[bounds[group]..<bounds[group + 1]])
        guard !runs.isEmpty else { return rows }
        for run in runs { rows += try read(run[group]..<run[group + 1]) }
        rows.sort(by: SubjectSort.Row.precedes)
        return rows
    }

    private borrowing func read(_ range: Range<Int>) throws(SystemError) -> [SubjectSort.Row] {
        var problem: SystemError?
        let rows = [SubjectSort.Row](unsafeUninitializedCapacity: range.count) {
            buffer,
            initialized in
            do throws(SystemError) {
                try file?.read(
                    into: UnsafeMutableRawBufferPointer(buffer),
                    at: range.lowerBound * MemoryLayout<SubjectSort.Row>.stride
                )
                initialized = range.count
            } catch {
                problem = error
            }
        }
        if let problem { throw problem }
        return rows
    }
}
