import CampaignModel
import Listening
import Testing

struct DeviceRateTests {
    private let phone = Fingerprint(high: 1, low: 2)
    private let tablet = Fingerprint(high: 3, low: 4)

    @Test func `allows the limit within a minute, per device`() {
        var rate = DeviceRate(limit: 3)
        for _ in 1...3 { #expect(rate.count(phone, at: 600) == nil) }
        #expect(rate.count(phone, at: 600) == 60)
        #expect(rate.count(tablet, at: 600) == nil)
    }

    @Test func `counts the previous minute by its part`() {
        var rate = DeviceRate(limit: 60)
        for _ in 1...60 { #expect(rate.count(phone, at: 659) == nil) }
        // Half of the previous minute is within the last 60 seconds.
        var allowed = 0
        while rate.count(phone, at: 690) == nil { allowed += 1 }
        #expect(allowed == 30)
    }

    @Test func `forgets a device after two minutes`() {
        var rate = DeviceRate(limit: 1)
        #expect(rate.count(phone, at: 600) == nil)
        #expect(rate.count(phone, at: 720) == nil)
    }
}
