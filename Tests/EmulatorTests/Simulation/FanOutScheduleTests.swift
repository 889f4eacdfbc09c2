import DeliveryModel
import TestSupport
import Testing

@testable import Simulation

struct FanOutScheduleTests {
    private func courses(
        _ sends: [(due: Int64, audience: SimulatedAudience, count: Int)],
        slots: Int = 1,
        perMinute: Int = 600
    ) -> [FanOutSchedule.Course] {
        let pace = SimulatedPace(sendsPerMinute: perMinute, fanOuts: slots, fanOutRate: 10_000)
        return FanOutSchedule(pace).courses(
            of: sends.map { SimulationBench.send(at: $0.due, to: $0.audience) },
            counts: sends.map(\.count)
        )
    }

    private func milliseconds(_ course: FanOutSchedule.Course, of number: Int) -> Int64 {
        course.moment(of: number).milliseconds
    }

    private let list = SimulatedAudience.devices(name: "anglers", count: 5)

    @Test(.covers("C77")) func `one fan-out reaches 10,000 devices per second`() throws {
        let tides = SimulatedAudience.topic(try topic("tides"))
        let course = courses([(1_000, tides, 25_000)])[0]
        #expect(course.start == second(1_000))
        #expect(course.end.milliseconds == 1_002_500)
        #expect(milliseconds(course, of: 0) == 1_000_000)
        #expect(milliseconds(course, of: 10_000) == 1_001_000)
        #expect(milliseconds(course, of: 24_999) == 1_002_499)
    }

    @Test(.covers("C78"))
    func `two running fan-outs share the rate until the smaller one ends`() throws {
        let tides = SimulatedAudience.topic(try topic("tides"))
        let courses = courses([(0, tides, 5_000), (0, tides, 15_000)], slots: 2)
        // 5 per millisecond each, and then 10 for the remaining one.
        #expect(courses.map(\.end.milliseconds) == [1_000, 2_000])
        #expect(milliseconds(courses[1], of: 5_000) == 1_000)
        #expect(milliseconds(courses[1], of: 10_000) == 1_500)
    }

    @Test func `a fan-out that starts later slows down the running one`() throws {
        let tides = SimulatedAudience.topic(try topic("tides"))
        let courses = courses([(0, tides, 20_000), (1, tides, 5_000)], slots: 2)
        #expect(courses.map(\.start.milliseconds) == [0, 1_000])
        #expect(courses.map(\.end.milliseconds) == [2_500, 2_000])
        #expect(milliseconds(courses[0], of: 5_000) == 500)
        #expect(milliseconds(courses[0], of: 12_500) == 1_500)
        #expect(milliseconds(courses[0], of: 17_500) == 2_250)
    }

    @Test(.covers("C79")) func `fan-outs wait for a permit in order of time`() throws {
        let tides = SimulatedAudience.topic(try topic("tides"))
        let courses = courses([
            (1, tides, 10_000), (0, tides, 20_000), (60, tides, 1),
        ])
        #expect(courses.map(\.start.milliseconds) == [2_000, 0, 60_000])
        #expect(courses.map(\.end.milliseconds) == [3_000, 2_000, 60_001])
        #expect(milliseconds(courses[0], of: 5_000) == 2_500)
    }

    @Test func `list sends are sequential at the request pace and wait for no fan-out`() throws {
        let tides = SimulatedAudience.topic(try topic("tides"))
        // 600 per minute: one every 100 ms.
        let courses = courses([
            (0, tides, 1_000_000), (0, list, 20), (1, list, 5), (9, list, 1),
        ])
        #expect(courses.map(\.start.milliseconds) == [0, 0, 2_000, 9_000])
        #expect(courses.map(\.end.milliseconds) == [100_000, 2_000, 2_500, 9_100])
        #expect(milliseconds(courses[1], of: 10) == 1_000)
        #expect(milliseconds(courses[2], of: 4) == 2_400)
    }

    @Test func `a send without recipients ends when it starts`() throws {
        let tides = SimulatedAudience.topic(try topic("nobody"))
        let courses = courses([(5, tides, 0), (5, list, 0)])
        #expect(courses.map(\.start) == [second(5), second(5)])
        #expect(courses.map(\.end) == [second(5), second(5)])
    }
}
