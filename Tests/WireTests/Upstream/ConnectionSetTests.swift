import TestSupport
import Testing
import Upstream

struct ConnectionSetTests {
    @Test func `opens the wanted number of connections`() {
        var run = SetRun(count: 3)
        #expect(run.begin().connects.map(\.number) == [1, 2, 3])
    }

    @Test func `acknowledges only after the commit`() {
        var run = SetRun(open: 1)
        let commands = run.receive(["a"], on: 1)
        #expect(commands.commits.map { $0.deliveries.map(\.message) } == [["a"]])
        #expect(commands.acknowledged == [:])
        #expect(run.commit(1).acknowledged == [1: ["a"]])
    }

    @Test func `messages that arrive during a commit share the next one`() {
        var run = SetRun(open: 2)
        _ = run.receive(["a"], on: 1)
        #expect(run.receive(["b"], on: 1).commits.isEmpty)
        #expect(run.receive(["c"], on: 2).commits.isEmpty)
        let commands = run.commit(1)
        #expect(commands.commits.map { $0.deliveries.map(\.message) } == [["b", "c"]])
        #expect(run.commit(2).acknowledged == [1: ["b"], 2: ["c"]])
    }

    @Test func `a message of a cut connection is stored and not acknowledged elsewhere`() {
        var run = SetRun(open: 2)
        _ = run.receive(["a"], on: 1)
        _ = run.send(.ended(run.id(1), .cut(reason: "reset")))
        #expect(run.commit(1).acknowledged == [:])
    }

    @Test func `a message that waits on a cut connection is left to the server`() {
        var run = SetRun(open: 2)
        _ = run.receive(["a"], on: 1)
        _ = run.receive(["b"], on: 1)
        _ = run.send(.ended(run.id(1), .cut(reason: "reset")))
        #expect(run.commit(1).commits.isEmpty)
    }

    @Test func `a draining connection gets a successor and keeps acknowledging`() {
        var run = SetRun(open: 1)
        _ = run.receive(["a"], on: 1)
        #expect(run.send(.draining(run.id(1))).connects.map(\.number) == [2])
        _ = run.receive(["b"], on: 1)
        #expect(run.commit(1).acknowledged == [1: ["a"]])
        #expect(run.commit(2).acknowledged == [1: ["b"]])
        #expect(run.closes == [])
        #expect(run.pass(.seconds(29)).closes == [])
        #expect(run.pass(.seconds(1)).closes == [1])
    }

    @Test func `a draining connection with messages in a commit stays open`() {
        var run = SetRun(open: 1)
        _ = run.receive(["a"], on: 1)
        _ = run.send(.draining(run.id(1)))
        #expect(run.pass(.seconds(120)).closes == [])
        let commands = run.commit(1)
        #expect(commands.acknowledged == [1: ["a"]] && commands.closes == [1])
    }

    @Test func `a server that drains each new connection gets pauses`() {
        var run = SetRun(open: 1)
        #expect(run.send(.draining(run.id(1))).connects.map(\.number) == [2])
        _ = run.send(.connected(run.id(2)))
        #expect(run.send(.draining(run.id(2))).connects.isEmpty)
        #expect(run.pass(.seconds(1)).connects.map(\.number) == [3])
    }

    @Test(.covers("F4-xmpp"))
    func `holds at most 100 unacknowledged messages of a connection`() {
        var run = SetRun(open: 1)
        _ = run.receive((1...100).map(String.init), on: 1)
        let commands = run.receive(["101", "102"], on: 1)
        #expect(commands.notices == [.tooManyUnacknowledged(run.id(1))])
        #expect(run.machine.unacknowledgedCount == 100)
        let stored = run.commit(1).acknowledged[1]
        #expect(stored?.count == 100)
        #expect(stored?.contains("101") == false)
    }

    @Test func `refused messages count as unacknowledged`() {
        var run = SetRun(open: 1)
        for _ in 1...99 { #expect(run.send(.refused(run.id(1))).notices.isEmpty) }
        let commands = run.send(.refused(run.id(1)))
        #expect(commands.notices == [.blocked(run.id(1))])
        #expect(commands.connects.map(\.number) == [2])
    }

    @Test func `keeps messages while the store fails, and stores them later`() {
        var run = SetRun(open: 1)
        _ = run.receive(["a", "b"], on: 1)
        let failed = run.send(.notCommitted(batch: 1))
        #expect(failed.notices == [.storeFailed(messages: 2)])
        #expect(failed.commits.isEmpty && !run.machine.isReady)
        let retried = run.pass(.seconds(1))
        #expect(retried.commits.map { $0.deliveries.map(\.message) } == [["a", "b"]])
        let stored = run.commit(2)
        #expect(stored.notices == [.storeRecovered])
        #expect(stored.acknowledged == [1: ["a", "b"]])
        #expect(run.machine.isReady)
    }

    @Test func `pauses double from one second to 64 while the server is unreachable`() {
        var run = SetRun(count: 1)
        var number = run.begin().connects[0].number
        var pauses: [Duration] = []
        for _ in 1...9 {
            let start = run.now
            _ = run.send(.ended(run.id(number), .unreachable(reason: "refused")))
            number = run.untilConnect().number
            pauses.append(run.now - start)
        }
        for (index, pause) in pauses.enumerated() {
            let full = Duration.seconds(1 << min(index, 6))
            #expect(pause >= full / 2 && pause <= full, "pause \(index) is \(pause)")
        }
    }

    @Test func `waits longer if an operator has to change something`() {
        var run = SetRun(count: 1)
        _ = run.begin()
        _ = run.send(.ended(run.id(1), .denied))
        let start = run.now
        _ = run.untilConnect()
        #expect(run.now - start >= .seconds(16))
    }

    @Test func `aborts a connect that takes longer than 30 seconds`() {
        var run = SetRun(count: 1)
        _ = run.begin()
        #expect(run.pass(.seconds(29)).aborts == [])
        #expect(run.pass(.seconds(1)).aborts == [1])
    }

    @Test func `stops after the commit that runs`() {
        var run = SetRun(open: 2)
        _ = run.receive(["a"], on: 1)
        _ = run.receive(["b"], on: 2)
        let stopped = run.send(.stop(limit: .seconds(6)))
        #expect(stopped.closes == [2])
        #expect(run.receive(["c"], on: 1).commits.isEmpty)
        let committed = run.commit(1)
        #expect(committed.acknowledged == [1: ["a"]])
        #expect(committed.commits.isEmpty && committed.closes == [1])
        _ = run.send(.ended(run.id(1), .closedHere))
        #expect(!run.machine.hasEnded)
        _ = run.send(.ended(run.id(2), .closedHere))
        #expect(run.machine.hasEnded)
    }

    @Test func `aborts what is open at the limit of a stop, once`() {
        var run = SetRun(open: 1)
        _ = run.receive(["a"], on: 1)
        _ = run.send(.stop(limit: .seconds(6)))
        #expect(run.pass(.seconds(6)).aborts == [1])
        #expect(run.pass(.seconds(1)).aborts == [])
    }
}

struct ConnectBudgetTests {
    /// Every connection is cut one second after it opens.
    @Test(.covers("C68", "F4-xmpp"), arguments: [1, 16, 400, 2_500])
    func `holds over an hour of cuts`(count: Int) {
        var run = SetRun(count: count)
        var starts: [Duration] = []
        var most = 0
        var cuts: [(time: Duration, id: ConnectionID)] = []
        var next = 0
        var commands = run.begin()
        while run.now < .seconds(3_600) {
            for id in commands.connects {
                starts.append(run.now)
                _ = run.send(.connected(id))
                cuts.append((run.now + .seconds(1), id))
            }
            most = max(most, run.machine.openCount)
            let cut = next < cuts.count ? cuts[next].time : .seconds(3_600)
            let timer = run.machine.nextTimer(at: run.now) ?? .seconds(3_600)
            run.now = max(run.now, min(cut, timer))
            var events: [ConnectionSet<String>.Event] = [.timer]
            while next < cuts.count, cuts[next].time <= run.now {
                events.append(.ended(cuts[next].id, .cut(reason: "reset")))
                next += 1
            }
            commands = Commands(run.machine.receive(events, at: run.now))
        }
        #expect(starts.count > 3_600 / 64)
        #expect(most <= 2_500)
        for (index, start) in starts.enumerated() where index >= 400 {
            #expect(start - starts[index - 400] >= .seconds(60))
        }
    }

    @Test(.covers("C69", "F4-xmpp"))
    func `reaches the limit and never more than 2,500 connections`() {
        var run = SetRun(count: 5_000)
        var commands = run.begin()
        var connects = 0
        while run.now < .seconds(900) {
            connects += commands.connects.count
            for id in commands.connects { _ = run.send(.connected(id)) }
            commands = run.pass(.seconds(1))
        }
        #expect(connects == 2_500)
        #expect(run.machine.openCount == 2_500)
        // A draining connection counts, so its successor waits for its end.
        #expect(run.send(.draining(run.id(1))).connects.isEmpty)
        #expect(run.send(.ended(run.id(1), .closedHere)).connects.count == 1)
    }
}
