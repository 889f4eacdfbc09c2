import DeliveryModel
import TestSupport
import Testing

struct DeliveryLimitsTests {
    private static func moment(_ milliseconds: Int64) -> DeliveryMoment {
        DeliveryMoment(milliseconds: 1_000_000 + milliseconds)
    }

    @Test(.covers("F2.3-rate")) func `capacity for membership changes returns evenly`() {
        var model = DeliveryBackend()
        model.limits = DeliveryLimits(membershipChangesPerSecond: 3_000)
        #expect(model.allowsMembershipChanges(3_000, at: Self.moment(0)))
        model.countMembershipChanges(3_000, at: Self.moment(0))
        #expect(!model.allowsMembershipChanges(1, at: Self.moment(0)))
        #expect(model.allowsMembershipChanges(3, at: Self.moment(1)))
        #expect(!model.allowsMembershipChanges(4, at: Self.moment(1)))
        #expect(model.allowsMembershipChanges(1_000, at: Self.moment(334)))
        #expect(!model.allowsMembershipChanges(1_000, at: Self.moment(333)))
        #expect(model.allowsMembershipChanges(3_000, at: Self.moment(1_000)))
        #expect(!model.allowsMembershipChanges(3_001, at: Self.moment(999)))
    }

    @Test func `a request above the rate passes if the window is unused`() {
        var model = DeliveryBackend()
        model.limits = DeliveryLimits(membershipChangesPerSecond: 500)
        #expect(model.allowsMembershipChanges(1_000, at: Self.moment(0)))
        model.countMembershipChanges(1_000, at: Self.moment(0))
        #expect(!model.allowsMembershipChanges(1_000, at: Self.moment(1_999)))
        #expect(model.allowsMembershipChanges(1_000, at: Self.moment(2_000)))
    }

    @Test func `everything passes if there is no limit`() {
        var model = DeliveryBackend()
        model.countMembershipChanges(1_000_000, at: Self.moment(0))
        #expect(model.allowsMembershipChanges(1_000_000, at: Self.moment(0)))
    }
}
