import Preflight
import Presentation
import State
import Testing

struct WorkerFindingTests {
    private func rendered(_ workers: [WorkerOverview]) -> String {
        CheckupTextView(style: .plain).render(CheckupFinding.workers(workers))
    }

    @Test func `healthy workers are counted`() {
        let worker = WorkerOverview(host: "news-1", processID: 4711, silence: 7, format: 1)
        #expect(CheckupFinding.workers([]).isEmpty)
        #expect(
            rendered([worker]) == """
                  ok       workers      1 worker is registered; the last beat is at most 7 s old

                """
        )
        let unneeded = WorkerOverview(
            host: "news-2",
            processID: 4712,
            timeline: .unneeded,
            format: 1
        )
        #expect(
            rendered([worker, unneeded]) == """
                  ok       workers      2 workers are registered; the last beat is at most 7 s
                                        old

                """
        )
    }

    @Test func `warns of silent workers, and names three of them`() {
        let silent = (1...5).map { number in
            WorkerOverview(
                host: "news-\(number)",
                processID: number,
                silence: Int64(number) * 8,
                format: 1
            )
        }
        let findings = CheckupFinding.workers(silent)
        #expect(findings.map(\.verdict) == [.warning])
        #expect(
            rendered(silent) == """
                  warning  workers      no beat for more than 7 s: process 1 on news-1 (8 s),
                                        process 2 on news-2 (16 s), process 3 on news-3 (24 s),
                                        2 more
                                        help: check whether the processes run and reach the
                                        server; other workers take over their work units 15 s
                                        after the last beat

                """
        )
    }

    @Test func `a lease that ended is a silence, even if the clock has jumped back`() {
        let worker = WorkerOverview(
            host: "news-1",
            processID: 1,
            silence: 0,
            isLeaseOver: true,
            format: 1
        )
        #expect(CheckupFinding.workers([worker]).map(\.verdict) == [.warning])
    }

    @Test func `warns of a timeline that is not confirmed, and of another format`() {
        let worker = WorkerOverview(
            host: "news-2",
            processID: 12,
            timeline: .awaited,
            format: 2,
            isOfOtherFormat: true
        )
        #expect(
            rendered([worker]) == """
                  warning  workers      no confirmation of the server's timeline after a
                                        failover, so that no worker begins a work unit: process
                                        12 on news-2
                                        help: wait a minute; then other workers remove the ones
                                        that are gone
                  warning  workers      another format of the state than that of this program:
                                        process 12 on news-2 (format 2)
                                        help: run the same version of Herald on all machines

                """
        )
    }
}
