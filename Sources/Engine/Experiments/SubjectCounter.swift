package import State

/// The number of subjects of each arm.
package struct SubjectCounts: Hashable, Sendable {
    /// By the number of the arm.
    package let counts: [Int]
    /// The subjects that were found in two arms; they belong to none.
    package let conflicts: Set<UInt64>
    /// Number of rows whose subject was erased.
    package let erased: Int
}

/// Counts the subjects of occurrences, each once.
///
/// It needs 8 bytes per row if a subject may have several rows.
package struct SubjectCounter: Sendable {
    /// The subjects of each arm, possibly repeated; empty while each row is a subject.
    private var subjects: [[UInt64]]
    private var counts: [Int]
    private var erased = 0
    private let mayRepeat: Bool

    /// `mayRepeat`: whether a subject may have several rows.
    package init(arms: Int, mayRepeat: Bool) {
        subjects = Array(repeating: [], count: arms)
        counts = Array(repeating: 0, count: arms)
        self.mayRepeat = mayRepeat
    }

    package mutating func add(_ part: ExposedSubjects) {
        for (subject, arm) in zip(part.subjects, part.arms) {
            if subject == 0 {
                erased += 1
            } else if counts.indices.contains(Int(arm)) {
                if mayRepeat { subjects[Int(arm)].append(subject) } else { counts[Int(arm)] += 1 }
            }
        }
    }

    package consuming func finish() -> SubjectCounts {
        guard mayRepeat else { return SubjectCounts(counts: counts, conflicts: [], erased: erased) }
        for arm in subjects.indices { subjects[arm].removeRepetitions() }
        var conflicts: Set<UInt64> = []
        for one in subjects.indices {
            for other in subjects.indices where other > one {
                conflicts.formUnion(subjects[one].sharedSorted(with: subjects[other]))
            }
        }
        let counts = subjects.map { arm in
            conflicts.isEmpty ? arm.count : arm.count { !conflicts.contains($0) }
        }
        return SubjectCounts(counts: counts, conflicts: conflicts, erased: erased)
    }
}

extension [UInt64] {
    fileprivate mutating func removeRepetitions() {
        sort()
        var kept = 0
        for place in indices where place == 0 || self[place] != self[kept - 1] {
            self[kept] = self[place]
            kept += 1
        }
        removeLast(count - kept)
    }

    /// Returns the elements of both arrays, which are sorted.
    fileprivate func sharedSorted(with other: [UInt64]) -> [UInt64] {
        var shared: [UInt64] = []
        var (left, right) = (0, 0)
        while left < count, right < other.count {
            if self[left] == other[right] {
                shared.append(self[left])
                left += 1
                right += 1
            } else if self[left] < other[right] {
                left += 1
            } else {
                right += 1
            }
        }
        return shared
    }
}
