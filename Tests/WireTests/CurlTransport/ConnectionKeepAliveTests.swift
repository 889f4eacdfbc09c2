import Testing

@testable import CurlTransport

struct LinkPulseTests {
    private let beginning = ContinuousClock.now

    private func after(_ milliseconds: Int) -> ContinuousClock.Instant {
        beginning + .milliseconds(milliseconds)
    }

    private func opened() -> ConnectionKeepAlive {
        ConnectionKeepAlive(openedAt: beginning, limit: .seconds(10))
    }

    @Test func `carries no requests before the peer's first frame`() {
        let pulse = opened()
        #expect(pulse.verdict(at: beginning) == .isAsked)
        #expect(pulse.deadline == after(10_000))
    }

    @Test func `sends a PING after a second of silence and waits a second for the answer`() {
        var pulse = opened()
        pulse.hear(at: after(100))
        #expect(pulse.deadline == nil)
        #expect(pulse.verdict(at: after(1_100)) == .isThere)
        #expect(pulse.verdict(at: after(1_101)) == .mustBeAsked)
        pulse.ask(at: after(1_101))
        #expect(pulse.verdict(at: after(1_102)) == .isAsked)
        #expect(pulse.deadline == after(2_101))
    }

    @Test func `treats the peer as present as soon as any byte arrives`() {
        var pulse = opened()
        pulse.hear(at: after(0))
        pulse.ask(at: after(5_000))
        pulse.hear(at: after(5_200))
        #expect(pulse.verdict(at: after(5_300)) == .isThere)
        #expect(pulse.deadline == nil)
    }
}

struct BodyRoomTests {
    private let now = ContinuousClock.now

    @Test func `takes bodies until the peer's window is full`() {
        var room = BodyRoom()
        let answer1 = room.admits(600, window: 1_000, at: now)
        #expect(answer1)
        room.begin(600)
        let answer2 = room.admits(401, window: 1_000, at: now)
        #expect(!answer2)
        let answer3 = room.admits(400, window: 1_000, at: now)
        #expect(answer3)
        // Body bytes that have left were also taken from the window.
        room.end(600)
        let answer4 = room.admits(400, window: 400, at: now)
        #expect(answer4)
    }

    @Test func `waits one second for room after the first request that did not fit`() {
        var room = BodyRoom()
        let answer5 = room.admits(10, window: 9, at: now)
        #expect(!answer5)
        let answer6 = room.admits(10, window: 9, at: now + .milliseconds(900))
        #expect(!answer6)
        #expect(room.deadline == now + .seconds(1))
        let answer7 = room.admits(9, window: 9, at: now + .seconds(1))
        #expect(answer7)
        #expect(!room.isFull)
    }

    @Test func `takes a body larger than any window alone`() {
        var room = BodyRoom()
        let answer8 = room.admits(200_000, window: 65_535, at: now)
        #expect(answer8)
        room.begin(200_000)
        let answer9 = room.admits(1, window: 65_535, at: now)
        #expect(!answer9)
        #expect(!BodyRoom().admitting(200_000, window: 32_767, at: now))
    }

    @Test func `takes a request without a body regardless of the window`() {
        #expect(BodyRoom().admitting(0, window: 0, at: now))
    }
}

extension BodyRoom {
    fileprivate func admitting(_ body: Int, window: Int, at now: ContinuousClock.Instant) -> Bool {
        var room = self
        return room.admits(body, window: window, at: now)
    }
}

struct WaitingLineTests {
    @Test func `returns the next request without removing it, and skips cancelled requests`() {
        var line = SubmissionQueue()
        #expect(line.first?.id == nil)
        for number in 1...3 {
            line.append(
                Submission(
                    id: SubmissionID(number: UInt64(number)),
                    url: "",
                    deadline: .now,
                    work: .link
                )
            )
        }
        _ = line.remove(SubmissionID(number: 1)...SubmissionID(number: 1))
        #expect(line.first?.id.number == 2)
        #expect(line.first?.id.number == 2)
        #expect(line.popFirst()?.id.number == 2)
        #expect(line.first?.id.number == 3)
    }
}
