import Testing

@testable import Service

struct MinHeapTests {
    @Test func `returns elements in ascending order`() {
        var heap = MinHeap<Int>()
        #expect(heap.isEmpty)
        for number in [5, 3, 8, 3, 1, 9, 2] { heap.insert(number) }
        #expect(heap.first == 1)
        var taken: [Int] = []
        while let number = heap.removeFirst() { taken.append(number) }
        #expect(taken == [1, 2, 3, 3, 5, 8, 9])
        #expect(heap.removeFirst() == nil)
    }

    @Test func `takes insertions between removals`() {
        var heap = MinHeap<Int>()
        for number in 0..<100 { heap.insert(number * 37 % 100) }
        #expect((0..<50).map { _ in heap.removeFirst() } == Array(0..<50))
        for number in [7, 70, 25] { heap.insert(number) }
        #expect(heap.removeFirst() == 7)
        #expect(heap.removeFirst() == 25)
        #expect(heap.removeFirst() == 50)
    }
}
