import Foundation

extension Collection {
    /// Every third generated case, or all if `HERALD_SOAK` is greater than 1, as in `make soak`.
    package var generatedCases: [Element] {
        let soak = ProcessInfo.processInfo.environment["HERALD_SOAK"].flatMap { Int($0) } ?? 1
        return enumerated().filter { soak > 1 || $0.offset % 3 == 0 }.map(\.element)
    }
}
