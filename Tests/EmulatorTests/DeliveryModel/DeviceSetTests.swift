import Testing

@testable import DeliveryModel

struct DeviceSetTests {
    @Test(arguments: [1, 2, 3])
    func `a device set behaves like a set of numbers`(seed: UInt64) {
        var random = HistoryRandom(state: seed)
        var devices = DeviceSet()
        var numbers: Set<Int> = []
        // Three chunks, whose lists become bitmaps.
        for _ in 0..<20_000 {
            let number = Int.random(in: 0..<150_000, using: &random)
            devices.insert(number)
            numbers.insert(number)
            guard Int.random(in: 0..<3, using: &random) == 0 else { continue }
            let gone = numbers.first ?? 0
            devices.remove(gone)
            numbers.remove(gone)
            devices.remove(number + 1)
            numbers.remove(number + 1)
        }
        #expect(devices.count == numbers.count)
        #expect(devices.indices.map { Int($0) } == numbers.sorted())
        for chunk in 0..<devices.chunkCount {
            var indices: [Int32] = []
            indices.append(bits: devices.words(ofChunk: chunk), from: Int32(chunk) << 16)
            #expect(indices.map { Int($0) } == numbers.filter { $0 >> 16 == chunk }.sorted())
        }
    }

    @Test func `due entries are returned in order of time`() {
        var random = HistoryRandom(state: 4)
        var heap = DueHeap()
        let moments = (0..<500).map { _ in Int64.random(in: 0..<100, using: &random) }
        for (index, moment) in moments.enumerated() {
            heap.insert(index, at: DeliveryMoment(milliseconds: moment))
        }
        var found: [Int64] = []
        while let entry = heap.removeFirst() {
            #expect(moments[entry.index] == entry.moment.milliseconds)
            found.append(entry.moment.milliseconds)
        }
        #expect(found == moments.sorted())
    }
}
