import Testing

@testable import GoogleAuth

struct ApplicationDefaultTests {
    private func place(
        _ variables: [String: String],
        files: Set<String> = []
    ) -> ApplicationDefault {
        ApplicationDefault(variables: variables) { files.contains($0) }
    }

    @Test func `searches in the same order as Google's libraries`() {
        let usual = "/users/ana/.config/gcloud/application_default_credentials.json"
        let moved = "/moved/application_default_credentials.json"
        let home = ["HOME": "/users/ana"]
        let machine = ApplicationDefault.machine(MetadataServer(variables: [:]))
        let all = home.merging([
            "GOOGLE_APPLICATION_CREDENTIALS": "key.json", "CLOUDSDK_CONFIG": "/moved",
        ]) { $1 }
        #expect(place(all, files: [usual, moved]) == .named(path: "key.json"))
        // A named but missing file is an error, not a reason to use another.
        #expect(place(all) == .named(path: "key.json"))
        #expect(place(home, files: [usual]) == .gcloud(path: usual))
        let other = home.merging(["CLOUDSDK_CONFIG": "/moved"]) { $1 }
        #expect(place(other, files: [usual, moved]) == .gcloud(path: moved))
        #expect(place(other, files: [usual]) == machine)
        let empty = home.merging(["GOOGLE_APPLICATION_CREDENTIALS": ""]) { $1 }
        #expect(place(empty, files: [usual]) == .gcloud(path: usual))
        for word in ["true", "True"] {
            let alone = home.merging(["NO_GCE_CHECK": word]) { $1 }
            #expect(place(alone) == .nothing(looked: usual))
            #expect(place(alone, files: [usual]) == .gcloud(path: usual))
        }
        #expect(place(home.merging(["NO_GCE_CHECK": "false"]) { $1 }) == machine)
    }
}
