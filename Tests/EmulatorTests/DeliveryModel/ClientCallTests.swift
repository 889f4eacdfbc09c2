import DeliveryModel
import TestSupport
import Testing

struct ClientCallTests {
    @Test(.covers("A15", "A19", "A22"))
    func `an app's subscription completes immediately if nothing blocks it`() throws {
        var bench = try ModelBench()
        bench.call(.subscribe("tides"), at: 3)
        #expect(try bench.event(1) == DeviceEvent(.subscribe, "tides", 3, .done(at: second(3))))
        let outcome = try bench.send(.data(), for: .topic(topic("tides")), at: 4)
        #expect(outcome == .accepted(devices: 1))
    }

    @Test(.covers("A18", "A19", "A22", "F2.3-client"))
    func `a call on an offline device completes when the device comes online`() throws {
        var bench = try ModelBench(online: false)
        for topic in ["/topics/tides", "azores"] {
            bench.call(.subscribe(topic), at: 1)
        }
        bench.call(.unsubscribe("azores"), at: 2)
        #expect(try bench.event(1).completion == .pending)
        #expect(bench.model.device(named: "pixel")?.obstacle == .network)
        bench.change(DeviceChange(isOnline: true), at: 9)
        #expect(try bench.event(1).completion == .done(at: second(9)))
        #expect(try bench.event(3).completion == .done(at: second(9)))
        #expect(try bench.event(4) == DeviceEvent(.online, at: second(9)))
        #expect(try bench.topics() == ["tides"])
    }

    @Test(.covers("A23"))
    func `an app without a registration subscribes after it receives one`() throws {
        var bench = try ModelBench()
        try bench.addUnregistered("fresh", topics: ["tides"])
        bench.call(.subscribe("azores"), on: "fresh", at: 1)
        #expect(bench.model.device(named: "fresh")?.obstacle == .registration)
        #expect(bench.model.device(named: "fresh")?.topics.isEmpty == true)
        try bench.register("fresh", as: "f:1", at: 5)
        #expect(try bench.topics("fresh") == ["azores", "tides"])
        #expect(try bench.event(1, "fresh").completion == .done(at: second(5)))
        #expect(try bench.event(2, "fresh") == DeviceEvent(.registered, at: second(5)))
    }

    @Test(.covers("A25")) func `an app can end a subscription that a server made`() throws {
        var bench = try ModelBench()
        _ = bench.model.subscribe(try registration("pixel"), to: try topic("tides"), at: second(0))
        bench.call(.unsubscribe("tides"), at: 1)
        #expect(try bench.topics().isEmpty)
        #expect(try bench.event(1).completion == .done(at: second(1)))
    }

    @Test(.covers("A19")) func `an invalid call completes with an error`() throws {
        var bench = try ModelBench()
        bench.call(.subscribe("a b"), at: 1)
        #expect(try bench.event(1).completion == .failed(.malformedTopic, at: second(1)))
        for number in 1...2_000 {
            bench.call(.subscribe("t\(number)"), at: 2)
        }
        #expect(try bench.event(2_001).completion == .done(at: second(2)))
        bench.call(.subscribe("more"), at: 3)
        #expect(try bench.event(2_002).completion == .failed(.tooManyTopics, at: second(3)))
        bench.call(.subscribe("t7"), at: 4)
        #expect(try bench.event(2_003).completion == .done(at: second(4)))
    }

    @Test(.covers("F2.3-client"))
    func `an app that starts subscribes to its own topics again`() throws {
        var bench = try ModelBench(topics: ["tides"])
        let pixel = try registration("pixel")
        bench.call(.subscribe("storms"), at: 1)
        for name in ["tides", "storms"] {
            _ = bench.model.unsubscribe(pixel, from: try topic(name))
        }
        _ = bench.model.subscribe(pixel, to: try topic("azores"), at: second(2))
        bench.change(DeviceChange(isInForeground: false), at: 3)
        #expect(try bench.topics() == ["azores"])
        bench.change(DeviceChange(isInForeground: true), at: 4)
        #expect(try bench.topics() == ["azores", "storms", "tides"])
    }

    @Test func `an app that starts offline subscribes when the device comes online`() throws {
        var bench = try ModelBench(online: false, topics: ["tides"])
        _ = bench.model.unsubscribe(try registration("pixel"), from: try topic("tides"))
        bench.change(DeviceChange(isInForeground: true), at: 1)
        #expect(try bench.topics().isEmpty)
        bench.change(DeviceChange(isOnline: true), at: 2)
        #expect(try bench.topics() == ["tides"])
    }

    @Test func `a device that comes online with a closed app joins nothing`() throws {
        var bench = try ModelBench(online: false, topics: ["tides"])
        _ = bench.model.unsubscribe(try registration("pixel"), from: try topic("tides"))
        bench.change(DeviceChange(isOnline: true), at: 1)
        #expect(try bench.topics().isEmpty)
    }

    @Test func `removing the app fails its waiting calls and refuses new ones`() throws {
        var bench = try ModelBench(online: false)
        bench.call(.subscribe("tides"), at: 1)
        bench.change(DeviceChange(isInstalled: false), at: 2)
        #expect(try bench.event(1).completion == .failed(.uninstalled, at: second(2)))
        for name in ["pixel", "nokia"] {
            let isMade = bench.model.make(.subscribe("tides"), on: name, at: second(3))
            #expect(!isMade)
        }
    }

    @Test func `the predicted event of a call equals the actual one`() throws {
        var bench = try ModelBench(online: false)
        for (number, call) in [
            ClientCall.subscribe("tides"), .unsubscribe("a b"), .subscribe("é"),
        ].enumerated() {
            if number == 1 { bench.change(DeviceChange(isOnline: true), at: 2) }
            let device = try #require(bench.model.device(named: "pixel"))
            let foretold = bench.model.event(of: call, on: device, at: second(3))
            bench.call(call, at: 3)
            #expect(bench.model.log(of: "pixel")?.events.last == foretold)
        }
    }
}

struct RegistrationTests {
    @Test(.covers("F1.7-unregistered"))
    func `the old registration of a rotated one is unregistered`() throws {
        var bench = try ModelBench(topics: ["tides"])
        _ = bench.model.subscribe(try registration("pixel"), to: try topic("azores"), at: second(0))
        bench.call(.subscribe("storms"), at: 1)
        try bench.register("pixel", as: "pixel:2", at: 2)
        #expect(try bench.send(.data(), at: 3) == .unregistered)
        let new = MessageTarget.registration(try registration("pixel:2"))
        #expect(try bench.send(.data(), for: new, at: 3) == .accepted(devices: 1))
        #expect(try bench.topics() == ["storms", "tides"])
        #expect(bench.model.owner(of: try registration("pixel")) == "pixel")
    }

    @Test func `a deleted registration accepts no messages and drops the waiting ones`() throws {
        var bench = try ModelBench(online: false, topics: ["tides"])
        try bench.send(.data(), at: 1)
        bench.model.unregister("pixel", at: second(2))
        #expect(try bench.send(.data(), at: 3) == .unregistered)
        #expect(try bench.inbox(at: 3).pending == 0)
        #expect(try bench.inbox(at: 3).counts.dropped == 1)
        #expect(try bench.topics().isEmpty)
    }

    @Test func `a restart with the same device files keeps a rotated registration`() throws {
        var bench = try ModelBench()
        let files = [
            DeviceSpecification(
                name: "pixel",
                platform: .android,
                registration: try registration("pixel")
            )
        ]
        try bench.register("pixel", as: "pixel:2", at: 2)
        #expect(bench.model.knows(files))
        try bench.model.seed(files, at: second(3))
        #expect(bench.model.device(named: "pixel")?.registration?.text == "pixel:2")
        bench.model.reset(at: second(4))
        #expect(bench.model.device(named: "pixel")?.registration?.text == "pixel")
        #expect(bench.model.device(registeredAs: try registration("pixel:2")) == nil)
    }

    @Test func `seeding without a registration keeps the existing one`() throws {
        var bench = try ModelBench(topics: ["tides"])
        let specification = DeviceSpecification(
            name: "pixel",
            platform: .android,
            registration: nil
        )
        #expect(bench.model.knows([specification]))
        try bench.model.seed([specification], at: second(1))
        #expect(try bench.topics() == ["tides"])
        bench.model.reset(at: second(2))
        #expect(bench.model.device(registeredAs: try registration("pixel"))?.name == "pixel")
    }

    @Test func `seeding refuses current and former registrations of other devices`() throws {
        var bench = try ModelBench()
        try bench.register("pixel", as: "pixel:2", at: 1)
        for text in ["pixel", "pixel:2"] {
            let specification = DeviceSpecification(
                name: "nokia",
                platform: .android,
                registration: try registration(text)
            )
            #expect(throws: SeedingFailure.registrationTaken(device: "nokia", by: "pixel")) {
                try bench.model.checkSeeding(of: [specification])
            }
        }
        try bench.register("pixel", as: "pixel:3", at: 2)
        #expect(bench.model.owner(of: try registration("pixel:2")) == nil)
    }

    @Test func `removing a device keeps the data of the others`() throws {
        var bench = try ModelBench(topics: ["tides"])
        try bench.add("iphone", platform: .apple, topics: ["tides"])
        try bench.add("browser", platform: .web, topics: ["tides", "azores"])
        let removals = (1...2).map { _ in bench.model.remove("pixel") }
        #expect(removals == [true, false])
        #expect(bench.model.devices.map(\.name) == ["iphone", "browser"])
        #expect(bench.model.members(of: try topic("tides")).map(\.name) == ["iphone", "browser"])
        #expect(try bench.send(.data(), at: 1) == .unregistered)
        let azores = MessageTarget.topic(try topic("azores"))
        #expect(try bench.send(.data(), for: azores, at: 2) == .accepted(devices: 1))
        #expect(try bench.received("browser", at: 2).count == 1)
        #expect(try bench.received("iphone", at: 2).isEmpty)
        #expect(bench.model.owner(of: try registration("pixel")) == nil)
    }

    @Test func `a snapshot restores all data`() throws {
        var bench = try ModelBench(online: false, topics: ["tides"])
        try bench.send(.data(collapse: "k"), at: 1)
        try bench.send(.data(ttl: "60s"), at: 2)
        bench.call(.subscribe("azores"), at: 3)
        let snapshot = bench.model.snapshot(at: second(4))
        bench.change(DeviceChange(isOnline: true), at: 5)
        _ = bench.model.remove("pixel")
        bench.model.restore(snapshot, at: second(4))
        #expect(try bench.inbox(at: 6).pending == 2)
        #expect(try bench.inbox(at: 62).pending == 1)
        try bench.send(.data(collapse: "k"), at: 63)
        #expect(try bench.inbox(at: 63).counts.collapsed == 1)
        bench.change(DeviceChange(isOnline: true), at: 64)
        #expect(try bench.received(at: 64) == ["3"])
        #expect(try bench.topics() == ["azores", "tides"])
        #expect(try bench.event(1).completion == .done(at: second(64)))
    }
}

extension ModelBench {
    mutating func addUnregistered(_ name: String, topics: [String]) throws {
        let specification = DeviceSpecification(
            name: name,
            platform: .apple,
            registration: nil,
            topics: topics.compactMap { TopicName($0) }
        )
        try model.seed([specification], at: second(0))
    }

    mutating func call(_ call: ClientCall, on name: String = "pixel", at seconds: Int64) {
        let isMade = model.make(call, on: name, at: second(seconds))
        #expect(isMade)
    }

    mutating func register(_ name: String, as text: String, at seconds: Int64) throws {
        let isDone = model.register(name, as: try registration(text), at: second(seconds))
        #expect(isDone)
    }

    func event(_ number: Int, _ name: String = "pixel") throws -> DeviceEvent {
        let log = try #require(model.log(of: name))
        return try #require(log.events.dropFirst(number - log.forgotten - 1).first)
    }

    func topics(_ name: String = "pixel") throws -> [String] {
        try #require(model.device(named: name)).topics.keys.map(\.text).sorted()
    }
}

extension DeviceEvent {
    fileprivate init(_ kind: Kind, _ topic: String, _ at: Int64, _ completion: ClientCompletion) {
        self.init(kind, at: second(at), topic: topic, completion: completion)
    }
}
