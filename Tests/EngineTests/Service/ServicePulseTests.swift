import Service
import Testing

struct ServicePulseTests {
    @Test func `is alive until the next sign of progress is overdue`() {
        var pulse = ServicePulse(at: .zero)
        pulse.beat(at: .seconds(10), allowing: .seconds(60))
        #expect(pulse.isAlive(at: .seconds(70)))
        #expect(!pulse.isAlive(at: .seconds(71)))
        #expect(pulse.silence(at: .seconds(71)) == .seconds(61))
        pulse.beat(at: .seconds(80), allowing: .seconds(60))
        #expect(pulse.isAlive(at: .seconds(81)))
    }

    @Test func `a beat ends a longer allowance`() {
        var pulse = ServicePulse(at: .zero)
        pulse.beat(at: .zero, allowing: .seconds(600))
        pulse.beat(at: .seconds(1), allowing: .seconds(60))
        #expect(!pulse.isAlive(at: .seconds(62)))
    }

    @Test func `progress does not shorten an announced pause`() {
        var pulse = ServicePulse(at: .zero)
        pulse.extend(at: .zero, allowing: .seconds(900))
        pulse.extend(at: .seconds(5), allowing: .seconds(120))
        #expect(pulse.isAlive(at: .seconds(900)))
        #expect(!pulse.isAlive(at: .seconds(901)))
    }
}
