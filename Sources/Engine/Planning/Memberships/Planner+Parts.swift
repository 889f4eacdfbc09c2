import FoundationEssentials
import State

extension Planner {
    private static let cores = ProcessInfo.processInfo.activeProcessorCount
    /// Registrations in the largest and the smallest part.
    ///
    /// A part of a long list is large, because each of many segments has a chunk at its border.
    private static let (largest, smallest) = (524_288, 8_192)

    /// Divides fingerprints into parts of about the same size, several for each core.
    func parts(of count: Int) -> [FingerprintPart] {
        let size = min(Self.largest, max(Self.smallest, count / (16 * Self.cores)))
        return FingerprintPart.parts(of: count, dividedBy: size)
    }

    /// Computes a value for each part, on all cores, and returns the values in order.
    ///
    /// One part per core is in memory, and two that are being read or wait for it.
    func inParts<Value: Sendable>(
        _ parts: [FingerprintPart],
        compute: @escaping @Sendable (FingerprintPart) async throws(PlanningError) -> Value
    ) async throws(PlanningError) -> [Value] {
        guard parts.count > 1 else {
            var values: [Value] = []
            for part in parts { values.append(try await compute(part)) }
            return values
        }
        let results = await withTaskGroup(of: PartResult<Value>.self) { group in
            var waiting = parts[...]
            for part in waiting.prefix(Self.cores + 2) {
                group.addTask { await PartResult(of: part, compute) }
                waiting.removeFirst()
            }
            var results: [PartResult<Value>] = []
            while let result = await group.next() {
                results.append(result)
                guard let part = waiting.popFirst() else { continue }
                group.addTask { await PartResult(of: part, compute) }
            }
            return results
        }
        var values: [Value] = []
        for result in results.sorted(by: { $0.number < $1.number }) {
            values.append(try result.value.get())
        }
        return values
    }
}

private struct PartResult<Value: Sendable>: Sendable {
    let number: Int
    let value: Result<Value, PlanningError>

    init(
        of part: FingerprintPart,
        _ compute: @Sendable (FingerprintPart) async throws(PlanningError) -> Value
    ) async {
        number = part.number
        do throws(PlanningError) {
            value = .success(try await compute(part))
        } catch {
            value = .failure(error)
        }
    }
}
