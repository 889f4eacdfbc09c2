import FCMWire
import JSON
import TestSupport
import Testing

struct InstanceIDTests {
    @Test(
        .covers("A42", "F2.1-add", "F2.1-body", "F2.1-remove"),
        arguments: [
            (InstanceIDBatch.Change.add, "/iid/v1:batchAdd"), (.remove, "/iid/v1:batchRemove"),
        ]
    )
    func `a batch has its path and body`(change: InstanceIDBatch.Change, path: String) {
        let batch = InstanceIDBatch(change: change, topic: "tides")
        #expect(batch.path == path)
        #expect(
            batch.body(registrations: ["a:1", "b:2"]).compactText
                == #"{"to":"/topics/tides","registration_tokens":["a:1","b:2"]}"#
        )
    }

    private static func answer(_ status: Int, _ body: String, _ count: Int) -> InstanceIDAnswer {
        InstanceIDAnswer(status: status, body: Array(body.utf8), expected: count)
    }

    @Test(.covers("F2.1-success")) func `results are in the order of the request`() {
        #expect(
            Self.answer(200, #"{"results":[{},{"error":"NOT_FOUND"},{}]}"#, 3)
                == .verdicts([nil, "NOT_FOUND", nil])
        )
    }

    @Test(
        .covers("F2.1-results"),
        arguments: [#"{"results":[{}]}"#, #"{"results":[{},{},{}]}"#, "{}", "", "[]"]
    )
    func `results for other registrations are unreadable`(body: String) {
        #expect(
            Self.answer(200, body, 2) == .refused(status: 200, error: "the answer cannot be read")
        )
    }

    @Test(
        .covers("F2.1-refusal"),
        arguments: [
            (401, #"{"error":"Unauthorized"}"#, "Unauthorized"),
            (400, #"{"error":"InvalidTopicName"}"#, "InvalidTopicName"),
            (403, #"{"error":{"code":403,"message":"Permission denied"}}"#, "Permission denied"),
            (503, "<html>", "the answer cannot be read"),
        ]
    )
    func `a refusal keeps FCM's message`(status: Int, body: String, error: String) {
        #expect(Self.answer(status, body, 1) == .refused(status: status, error: error))
    }
}
