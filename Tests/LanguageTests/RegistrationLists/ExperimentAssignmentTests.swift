import CampaignModel
import RegistrationLists
import Testing

// Points are those of Python's hashlib:
// int.from_bytes(sha256(f"{project}\0{experiment}\0{subject}".encode()).digest()[:8], "big")
struct ExperimentAssignmentTests {
    private static let points: [(subject: String, own: UInt64, global: UInt64)] = [
        ("ana", 1_628_188_370_889_521_444, 5_434_312_504_960_400_317),
        ("bo", 6_897_048_413_223_465_078, 14_820_309_168_190_051_462),
        ("phone1:APA91b", 1_925_296_326_650_982_909, 11_090_396_172_421_351_625),
        ("müller", 5_353_876_695_819_898_576, 7_493_076_221_908_525_911),
    ]

    private func design(
        holdOut: String = "0%",
        global: String = "0%",
        _ weights: [(String, Int)] = []
    ) throws -> ExperimentDesign {
        ExperimentDesign(
            project: try #require(ProjectID("tidewatch")),
            name: "spring",
            holdOut: try #require(Percentage(holdOut)),
            globalHoldOut: try #require(Percentage(global)),
            variants: try weights.map { name, weight in
                .init(id: try #require(Identifier<Variant>(name)), weight: weight)
            }
        )
    }

    private func arms(_ design: ExperimentDesign, _ subjects: [String]) -> [ExperimentArm] {
        let assignment = ExperimentAssignment(design)
        return subjects.map(assignment.arm)
    }

    @Test func `a point is the beginning of the SHA-256 of project, experiment and subject`() throws
    {
        let project = try #require(ProjectID("tidewatch"))
        let own = SubjectPoints(project: project, experiment: "spring")
        let global = SubjectPoints(project: project, experiment: ExperimentDesign.globalName)
        for point in Self.points {
            #expect(own.point(of: point.subject) == point.own)
            #expect(global.point(of: point.subject) == point.global)
        }
    }

    // The shares of these points of 2^64: ana 0.088, bo 0.374, phone1 0.104, müller 0.290.
    @Test func `the hold-out and the variants have consecutive ranges`() throws {
        let subjects = ["ana", "phone1:APA91b", "müller", "bo"]
        // 0 to 0.1 is held out; 0.1 to 0.325 is the first quarter of the rest.
        let design = try design(holdOut: "10%", [("a", 1), ("b", 3)])
        #expect(arms(design, subjects) == [.heldOut, .variant(0), .variant(0), .variant(1)])
        let only = try self.design(holdOut: "10%")
        #expect(arms(only, subjects) == [.heldOut, .own, .own, .own])
    }

    @Test func `an arm of weight 0 moves no one`() throws {
        let subjects = (0..<2_000).map { "user-\($0)" }
        let before = arms(try design([("a", 2), ("b", 5)]), subjects)
        let after = arms(try design([("a", 2), ("none", 0), ("b", 5), ("last", 0)]), subjects)
        #expect(
            before.map { $0 == .variant(0) ? .variant(0) : .variant(2) } == after
        )
    }

    // Of 2^64, the points of the project's hold-out: ana 0.295, müller 0.406, phone1 0.601, bo 0.803.
    @Test func `the project's hold-out comes before that of the campaign`() throws {
        let design = try design(holdOut: "10%", global: "30%", [("a", 1), ("b", 1)])
        #expect(
            arms(design, ["ana", "phone1:APA91b", "bo"]) == [
                .heldOutGlobally, .variant(0), .variant(0),
            ]
        )
    }

    @Test func `a range contains its beginning and not its end`() {
        let half = PointRange(1, of: 2)
        #expect(half.contains(1 << 63 - 1) && !half.contains(1 << 63))
        // 2^64 / 3 = 6,148,914,691,236,517,205.33
        let third = PointRange(1, of: 3)
        #expect(third.contains(6_148_914_691_236_517_205))
        #expect(!third.contains(6_148_914_691_236_517_206))
        #expect(PointRange(0, of: 3).isEmpty && !PointRange(0, of: 3).contains(0))
        #expect(PointRange(3, of: 3).contains(.max))
    }
}
