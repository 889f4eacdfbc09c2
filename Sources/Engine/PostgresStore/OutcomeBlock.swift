import CampaignModel
import FoundationEssentials
import StoreTables

/// The outcomes that one commit records for a unit, packed as runs of requests with the same outcome.
///
/// A run is two numbers: the requests that are skipped since the last run, and the length of the run
/// with the byte of its `StoredOutcome` in the lowest four bits. Numbers have seven bits per byte, the
/// lowest first; the highest bit means that more follow.
enum OutcomeBlock {
    /// The packed outcomes and the requests that they bound; nil without outcomes.
    static func pack(_ outcomes: [Int: StoredOutcome]) -> (bytes: Data, range: Range<Int>)? {
        let sorted = outcomes.sorted { $0.key < $1.key }
        guard let first = sorted.first?.key, let last = sorted.last?.key else { return nil }
        var data = Data()
        var end = first
        var start = 0
        while start < sorted.count {
            let (index, outcome) = sorted[start]
            var past = start + 1
            while past < sorted.count, sorted[past].key == sorted[past - 1].key + 1,
                sorted[past].value == outcome
            {
                past += 1
            }
            append(UInt64(index - end), to: &data)
            append(UInt64(past - start) << 4 | UInt64(outcome.byte), to: &data)
            end = index + past - start
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
                let skipped = Int(exactly: gap), let length = Int(exactly: run >> 4), length > 0,
                skipped <= Int.max - place, length <= Int.max - place - skipped,
                let outcome = StoredOutcome(byte: UInt8(run & 15))
            else { return false }
            let start = place + skipped
            place = start + length
            for index in (start..<place).clamped(to: range) {
                bytes[index - range.lowerBound] = outcome.byte
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
