import JSON
import Testing

struct SearchTests {
    private static let rich = """
        {"message":{"topic":"tides","notification":{"title":"High tide","body":"At 7"},\
        "data":{"pier":"north"},"fcm_options":{"analytics_label":"spring"},\
        "android":{"notification":{"sound":"bell","notification_count":3,"channel_id":"alerts",\
        "icon":"wave","color":"#0000ff","image":"https://tide.test/a.png"}},\
        "apns":{"payload":{"aps":{"sound":{"name":"horn"},"badge":7,\
        "interruption-level":"time-sensitive"}}},\
        "webpush":{"notification":{"icon":"https://tide.test/i.png",\
        "actions":[{"action":"open","title":"Open"}]}}}}
        """

    private func withTide(
        _ body: (TestEmulator) async throws -> Void
    ) async throws {
        try await TestEmulator.run { (emulator, _) async throws in
            try emulator.subscribe("tides", "pixel", "iphone", "browser")
            try #require(try emulator.send(Self.rich).status == 200)
            _ = try emulator.send(#"{"message":{"token":"pixel","data":{"other":"1"}}}"#)
            try await body(emulator)
        }
    }

    private func messages(_ query: String, _ emulator: TestEmulator) throws -> [JSONValue] {
        let answer = try emulator.request("GET", "/emulator/v1/search/messages?\(query)")
        try #require(answer.status == 200)
        let found = answer.json?["messages"]?.arrayValue ?? []
        #expect(answer.json?["total"]?.integerValue == Int64(found.count))
        return found
    }

    @Test func `messages show how each platform presents them`() async throws {
        try await withTide { emulator async throws in
            func message(on device: String) throws -> JSONValue {
                try #require(try messages("device=\(device)&topic=tides", emulator).first)
            }
            let android = try message(on: "pixel")
            #expect(android["sound"] == "bell")
            #expect(android["badge"] == 3)
            #expect(android["channel_id"] == "alerts")
            #expect(android["icon"] == "wave")
            #expect(android["color"] == "#0000ff")
            #expect(android["image"] == "https://tide.test/a.png")
            #expect(android["from"] == "/topics/tides")
            #expect(android["analytics_label"] == "spring")
            let apple = try message(on: "iphone")
            #expect(apple["sound"] == "horn")
            #expect(apple["badge"] == 7)
            #expect(apple["interruption_level"] == "time-sensitive")
            let web = try message(on: "browser")
            #expect(web["icon"] == "https://tide.test/i.png")
            #expect(web["actions"] == [["action": "open", "title": "Open"]])
        }
    }

    @Test(arguments: [
        ("text=HIGH", 3), ("text=north", 3), ("title=High%20tide", 3), ("title=High+tide", 3),
        ("title=High", 0),
        ("data=pier", 3), ("data=pier=north", 3), ("data=pier=south", 0), ("topic=tides", 3),
        ("topic=/topics/tides", 3), ("label=spring", 3), ("registration=pixel", 2),
        ("device=pixel&topic=tides", 1), ("platform=apple", 1), ("outcome=delivered", 4),
        ("outcome=pending", 0), ("how=callback", 1), ("how=tray", 3), ("", 4),
        ("sound=bell", 1), ("sound=bells", 0), ("badge=7", 1), ("badge=3&platform=apple", 0),
        ("since=2100-01-01T00:00:00Z", 0), ("until=2100-01-01T00:00:00Z", 4),
    ])
    func `finds messages`(query: String, count: Int) async throws {
        try await withTide { emulator async throws in
            #expect(try messages(query, emulator).count == count)
        }
    }

    @Test(arguments: [
        ("text=HIGH", 1), ("text=north&topic=tides", 1), ("title=High%20tide", 1),
        ("data=pier=north", 1), ("topic=tides", 2), ("label=spring", 1),
        ("registration=pixel&path=/v1", 1), ("status=200&path=/v1", 2), ("status=404", 1),
        ("error=UNREGISTERED", 1), ("method=post&path=/v1", 3), ("error=QUOTA_EXCEEDED", 0),
        ("", 4), ("control=false", 4), ("control=true", 5), ("path=/emulator/", 1),
        ("path=/emulator/&control=false", 0),
    ])
    func `finds requests`(query: String, count: Int) async throws {
        try await withTide { emulator async throws in
            let lost = try emulator.send(#"{"message":{"token":"gone:\#(long)","data":{"a":"b"}}}"#)
            #expect(lost.status == 404)
            let answer = try emulator.request("GET", "/emulator/v1/search/requests?\(query)")
            #expect(answer.json?["requests"]?.arrayValue?.count == count)
        }
    }

    private var long: String { "APA91b" + String(repeating: "x", count: 134) }

    @Test func `a fingerprint finds the messages and the requests of a registration`() async throws
    {
        try await withTide { emulator async throws in
            let found = try messages("device=pixel&topic=tides", emulator)
            let print = try #require(found.first?["fingerprint"]?.stringValue)
            #expect(try messages("fingerprint=\(print)", emulator).count == 2)
            let path = "/emulator/v1/search/requests?fingerprint=\(print)&path=/v1"
            let requests = try emulator.request("GET", path).json?["requests"]?.arrayValue ?? []
            #expect(requests.map { $0["target"]?["token"] } == ["pixel"])
        }
    }

    @Test func `pages are continued with the last number`() async throws {
        try await withTide { emulator async throws in
            var devices: [JSONValue?] = []
            var after: Int64 = 0
            for _ in 0..<4 {
                let path = "/emulator/v1/search/messages?limit=1&after=\(after)"
                let page = try emulator.request("GET", path).json
                #expect(page?["total"] == 4)
                devices += (page?["messages"]?.arrayValue ?? []).map { $0["device"] }
                after = page?["last"]?.integerValue ?? 0
            }
            #expect(
                devices.compactMap { $0?.stringValue }.sorted() == [
                    "browser", "iphone", "pixel", "pixel",
                ]
            )
            var before = ""
            var paths = 0
            repeat {
                let path = "/emulator/v1/search/requests?limit=1&control=true\(before)"
                let page = try emulator.request("GET", path).json
                paths += page?["requests"]?.arrayValue?.count ?? 0
                let last = try #require(page?["last"]?.integerValue)
                guard last > 0 else { break }
                before = "&before=\(last)"
            } while true
            #expect(paths == 4)
        }
    }

    @Test func `a request leads to its messages, and back`() async throws {
        try await withTide { emulator async throws in
            let found = try messages("device=iphone", emulator)
            let number = try #require(found.first?["request"]?.integerValue)
            #expect(try messages("request=\(number)", emulator).count == 3)
            let request = try emulator.request("GET", "/emulator/v1/requests/\(number)").json
            #expect(request?["target"] == ["topic": "tides"])
            #expect(request?["title"] == "High tide")
            #expect(request?["recipients"] == 3)
            let fields = request?["headers"]?.arrayValue ?? []
            #expect(fields.contains(["Authorization", "<redacted>"]))
            #expect(try emulator.request("GET", "/emulator/v1/requests/999").status == 404)
        }
    }

    @Test func `finds devices`() async throws {
        try await withTide { emulator async throws in
            func names(_ query: String) throws -> [JSONValue?] {
                let path = "/emulator/v1/search/devices?\(query)"
                return try emulator.request("GET", path).json?["devices"]?.arrayValue?
                    .map { $0["name"] } ?? []
            }
            #expect(try names("text=IPH") == ["iphone"])
            #expect(try names("platform=web&topic=tides") == ["browser"])
            #expect(try names("limit=1&after=1") == ["iphone"])
            #expect(try names("online=false") == [])
            let path = "/emulator/v1/search/devices?text=pixel"
            let pixel = try emulator.request("GET", path).json?["devices"]?.arrayValue?.first
            #expect(pixel?["received"] == 2)
            #expect(pixel?["topic_count"] == 1)
        }
    }
}
