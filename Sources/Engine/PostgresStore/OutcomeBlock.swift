import CampaignModel
import FoundationEssentials

/// The outcomes that one commit records for a unit, packed as runs of requests with the same outcome.
///
/// A run is two numbers: the requests that are skipped since the last run, and the length of the run
/// with its outcome in the lowest three bits. Numbers have seven bits per byte, the lowest first; the
/// highest bit means that more follow.
enum OutcomeBlock {
    /// The packed outcomes and the requests that they bound; nil without outcomes.
    static func pack(_ outcomes: [Int: Outcome]) -> (bytes: Data, range: Range<Int>)? {
        let indexes = outcomes.keys.sorted()
        guard let first = indexes.first, let last = indexes.last else { return nil }
        var data = Data()
        var end = first
        var start = 0
        while start < indexes.count {
            let outcome = outcomes[indexes[start]] ?? .intended
            var past = start + 1
            while past < indexes.count, indexes[past] == indexes[past - 1] + 1,
                outcomes[indexes[past]] == outcome
            {
                past += 1
            }
            append(UInt64(indexes[start] - end), to: &data)
            append(UInt64(past - start) << 3 | UInt64(outcome.rawValue), to: &data)
            end = indexes[past - 1] + 1
            start = past
        }
        return (data, first..<last + 1)
    }

    /// Writes the packed outcomes that are in a range of requests into an array of that range.
    ///
    /// `first`: of the block. Returns false if the bytes are damaged.
    static func apply(
        _ data: Data,
        from first: Int,
        to bytes: inout [UInt8],
        of range: Range<Int>
    ) -> Bool {
        var rest = data[...]
        var place = first
        while !rest.isEmpty {
            guard let gap = take(&rest), let run = take(&rest),
                let skipped = Int(exactly: gap), let length = Int(exactly: run >> 3), length > 0,
                skipped <= Int.max - place, length <= Int.max - place - skipped,
                let outcome = Outcome(rawValue: UInt8(run & 7))
            else { return false }
            let start = place + skipped
            place = start + length
            for index in (start..<place).clamped(to: range) {
                bytes[index - range.lowerBound] = outcome.rawValue
            }
        }
        return true
    }

    private static func append(_ number: UInt64, to data: inout Data) {
        var rest = number
        while rest >= 0x80 {
            data.append(UInt8(rest & 0x7F) | 0x80)
            rest >>= 7
        }
        data.append(UInt8(rest))
    }

    private static func take(_ bytes: inout Data.SubSequence) -> UInt64? {
        var number: UInt64 = 0
        var shift: UInt64 = 0
        while shift < 64, let byte = bytes.popFirst() {
            number |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return number }
            shift += 7
        }
        return nil
    }
}
