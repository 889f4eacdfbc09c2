import CampaignModel
import FuzzChecks

private let checks = ListChecks(.csv)

/// Reads any bytes as a CSV list.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = unsafe [UInt8](UnsafeBufferPointer(start: start, count: count))
    checks.check(bytes)
    return 0
}
