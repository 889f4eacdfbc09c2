import Testing

@testable import Sending

struct RequestRangesTests {
    @Test func `takes the lowest numbers first, across gaps`() {
        var ranges = RequestRanges([1..<3, 5..<6, 8..<12])
        #expect(ranges.count == 7)
        #expect(ranges.takeFirst(4) == [1, 2, 5, 8])
        #expect(ranges.count == 3)
        #expect(ranges.takeFirst(10) == [9, 10, 11])
        #expect(ranges.isEmpty)
        #expect(ranges.takeFirst(1) == [])
    }

    @Test func `takes nothing for a count of zero`() {
        var ranges = RequestRanges([0..<2])
        #expect(ranges.takeFirst(0) == [])
        #expect(ranges == RequestRanges([0..<2]))
    }

    @Test func `joins adjacent numbers`() {
        var ranges = RequestRanges([])
        #expect(ranges.isEmpty)
        for number in [0, 1, 2, 5, 6, 9] { ranges.append(number) }
        #expect(ranges == RequestRanges([0..<3, 5..<7, 9..<10]))
    }

    @Test func `removes numbers at the edges, inside and beyond`() {
        let ranges = RequestRanges([0..<3, 5..<9, 12..<13])
        #expect(ranges.subtracting([Int]()) == ranges)
        #expect(ranges.subtracting([0, 6, 8, 12, 20]) == RequestRanges([1..<3, 5..<6, 7..<8]))
        #expect(ranges.subtracting([1, 3, 4, 5]) == RequestRanges([0..<1, 2..<3, 6..<9, 12..<13]))
        #expect(ranges.subtracting(0..<13).isEmpty)
    }

    @Test func `grows after numbers were taken`() {
        var ranges = RequestRanges([0..<2])
        #expect(ranges.takeFirst(1) == [0])
        ranges.append(2)
        ranges.append(4)
        #expect(ranges.takeFirst(2) == [1, 2])
        #expect(ranges.takeFirst(1) == [4])
        ranges.append(7)
        #expect(ranges == RequestRanges([7..<8]))
    }

    @Test func `inserts numbers before, between and after the others`() {
        var ranges = RequestRanges([3..<5, 8..<9])
        ranges.insert([6, 0, 5, 11, 2])
        #expect(ranges == RequestRanges([0..<1, 2..<7, 8..<9, 11..<12]))
        ranges.insert([])
        #expect(ranges == RequestRanges([0..<1, 2..<7, 8..<9, 11..<12]))
        #expect(ranges.takeFirst(3) == [0, 2, 3])
        ranges.insert([2])
        #expect(ranges.takeFirst(2) == [2, 4])
    }

    @Test func `contains its numbers`() {
        let ranges = RequestRanges([1..<3, 5..<6])
        #expect((0..<7).filter(ranges.contains) == [1, 2, 5])
    }
}
