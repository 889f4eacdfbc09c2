import DeliveryModel
import Testing

@testable import EmulatorAPI

struct HTTPDateTests {
    /// The values of `date -u --date=@SECONDS`.
    @Test(arguments: [
        (0, "Thu, 01 Jan 1970 00:00:00 GMT"), (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"),
        (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"),
        (2_121_147_000, "Fri, 20 Mar 2037 07:30:00 GMT"),
    ])
    func `has the format of RFC 9110`(seconds: Int, text: String) {
        #expect(DeliveryMoment(milliseconds: Int64(seconds) * 1_000 + 999).httpDate == text)
    }
}
