import DeliveryModel
import Testing

@testable import EmulatorAPI

struct RecentRequestsTests {
    @Test func `removes requests that were not written`() {
        var recent = RecentRequests()
        for sequence in 1...250 {
            recent.append(
                RecentRequests.Element(
                    sequence: sequence,
                    moment: DeliveryMoment(milliseconds: 0),
                    method: "GET",
                    target: "/",
                    status: 200
                )
            )
        }
        #expect(recent.after(0).map(\.sequence) == Array(151...250))
        recent.forget(after: 240)
        #expect(recent.after(238).map(\.sequence) == [239, 240])
    }
}
