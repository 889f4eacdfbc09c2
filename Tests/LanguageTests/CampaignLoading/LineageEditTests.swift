import CampaignLoading
import CampaignModel
import Testing

struct LineageEditTests {
    private static func edited(
        _ text: String,
        _ environment: String = "production"
    ) throws
        -> String?
    {
        let id = try #require(EnvironmentID(environment))
        let edit = try #require(LineageEdit(Array(text.utf8)))
        return edit.adding("1e0f", to: id).map { String(decoding: $0, as: UTF8.self) }
    }

    @Test(arguments: [
        // A block in a block, with comments around it.
        (
            """
            version: 1  # the first
            environments:
              # ours
              production:
                fcm: { project_id: tides }  # theirs
                # the end
              local: { emulator: {} }

            """,
            """
            version: 1  # the first
            environments:
              # ours
              production:
                fcm: { project_id: tides }  # theirs
                state: { lineage: "1e0f" }
                # the end
              local: { emulator: {} }

            """
        ),
        // Flow style.
        (
            "version: 1\nenvironments: { production: { emulator: {} } } # x\n",
            "version: 1\nenvironments: { production: { emulator: {}, state: { lineage: \"1e0f\" } } } # x\n"
        ),
        // A comment at the end of a flow mapping.
        (
            "environments:\n  production: {\n    emulator: {} # no\n  }\n",
            "environments:\n  production: { state: { lineage: \"1e0f\" },\n    emulator: {} # no\n  }\n"
        ),
        // Without a line break at the end, and without the new keys.
        (
            "environments:\n  production:\n    emulator: {}",
            "environments:\n  production:\n    emulator: {}\n    state: { lineage: \"1e0f\" }"
        ),
        // `state` exists.
        (
            "environments:\n  production:\n    emulator: {}\n    state:\n      encryption: { key: env:K }\n",
            "environments:\n  production:\n    emulator: {}\n    state:\n      encryption: { key: env:K }\n"
                + "      lineage: \"1e0f\"\n"
        ),
        (
            "environments: { production: { emulator: {}, state: { encryption: { key: env:K } } } }\n",
            "environments: { production: { emulator: {}, state: { encryption: { key: env:K }, "
                + "lineage: \"1e0f\" } } }\n"
        ),
        (
            "environments:\n  production:\n    state: # none\n    emulator: {}\n",
            "environments:\n  production:\n    state: { lineage: \"1e0f\" } # none\n    emulator: {}\n"
        ),
        (
            "environments:\n  production:\n    emulator: {}\n    state: {}\n",
            "environments:\n  production:\n    emulator: {}\n    state: { lineage: \"1e0f\" }\n"
        ),
        // Line ends of another system.
        (
            "environments:\r\n  production:\r\n    emulator: {}\r\nversion: 1\r\n",
            "environments:\r\n  production:\r\n    emulator: {}\r\n    state: { lineage: \"1e0f\" }\r\nversion: 1\r\n"
        ),
        // The last value is an alias, whose text is elsewhere.
        (
            "x-e: &e {}\nenvironments:\n  production:\n    emulator: *e\nversion: 1\n",
            "x-e: &e {}\nenvironments:\n  production:\n    emulator: *e\n"
                + "    state: { lineage: \"1e0f\" }\nversion: 1\n"
        ),
        // A text of several lines at the end.
        (
            "environments:\n  production:\n    emulator: {}\n    x-note: |\n      a\n      b\n\nversion: 1\n",
            "environments:\n  production:\n    emulator: {}\n    x-note: |\n      a\n      b\n"
                + "    state: { lineage: \"1e0f\" }\n\nversion: 1\n"
        ),
    ])
    func `the lineage is written into the environment`(
        text: String,
        expected: String
    ) throws {
        #expect(try Self.edited(text) == expected)
    }

    @Test(arguments: [
        (
            "version: 1\nproject: a\n",
            "version: 1\nproject: a\nenvironments:\n  local: { emulator: {}, state: { lineage: \"1e0f\" } }\n"
        ),
        (
            "environments:\n  other: { emulator: {} }\nversion: 1\n",
            "environments:\n  other: { emulator: {} }\n"
                + "  local: { emulator: {}, state: { lineage: \"1e0f\" } }\nversion: 1\n"
        ),
        (
            "environments:\nversion: 1\n",
            "environments:\n  local: { emulator: {}, state: { lineage: \"1e0f\" } }\nversion: 1\n"
        ),
        (
            "{ version: 1 }\n",
            "{ version: 1, environments: { local: { emulator: {}, state: { lineage: \"1e0f\" } } } }\n"
        ),
    ])
    func `the built-in environment is declared with the lineage`(
        text: String,
        expected: String
    ) throws {
        #expect(try Self.edited(text, "local") == expected)
    }

    @Test(arguments: [
        // It would also change `staging`.
        "environments:\n  production: &p { emulator: {} }\n  staging: *p\n",
        // `state` is merged from elsewhere.
        "x-base: &b { state: { encryption: { key: env:K } } }\n"
            + "environments:\n  production: { <<: *b, emulator: {} }\n",
        "environments:\n  production: { emulator: {}, state: ~ }\n",
    ])
    func `nothing is written if the edit would change more`(text: String) throws {
        #expect(try Self.edited(text) == nil)
    }

    @Test(arguments: ["", "- a\n", "a: [\n", "a: 1\n---\nb: 2\n"])
    func `a text that is not a project file is left unchanged`(text: String) {
        #expect(LineageEdit(Array(text.utf8)) == nil)
    }
}
