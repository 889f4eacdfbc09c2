import JSON
import TestSupport
import Testing

@testable import HeraldCommands

struct PlanCommandTests {
    let project: TemporaryFolder

    init() throws {
        project = try .newsProject()
    }

    @Test func `shows what an apply would send, and sends nothing`() async throws {
        let server = FakeServer()
        let run = try await runHerald(["plan"], in: project, server: server)
        #expect(run.code == 0)
        #expect(
            run.out.hasPrefix(
                """
                Destination: local, project ID shop, emulator at http://127.0.0.1:9,
                  not protected
                Plan for local of shop
                Friday 2037-03-20 08:30 UTC (2037-03-20T08:30:00Z)
                > sent now

                Sent by this apply

                  > hello sends now to topic news
                      to    5,000 devices, as declared for topic news in herald.yaml.

                """
            )
        )
        #expect(run.out.contains("\nPlan: 1 campaign sent now. 1 request.\nDigest "))
        #expect(run.err == "")
        #expect(server.requests.isEmpty)
    }

    @Test func `unchanged warnings of an earlier command are one line`() async throws {
        try project.write("campaigns/empty.yaml", "")
        let warning = "warning[unknown-document]: this file declares nothing\n"
        let again = "1 unchanged warning not shown again: `herald validate` shows all findings\n"
        let first = try await runHerald(["plan"], in: project)
        #expect(first.err.hasPrefix(warning))
        #expect(!first.err.contains("not shown again"))
        let second = try await runHerald(["plan"], in: project)
        #expect(second.err == again)
        try project.write("campaigns/more.yaml", "# nothing\n")
        let third = try await runHerald(["plan"], in: project)
        #expect(third.err.hasPrefix(warning))
        #expect(third.err.contains("campaigns/more.yaml:1:1"))
        #expect(!third.err.contains("campaigns/empty.yaml"))
        #expect(third.err.hasSuffix("1 warning\n" + again))
        let validated = try await runHerald(["validate"], in: project)
        #expect(validated.out.contains("\n2 warnings"))
        let elsewhere = ["HOME": project.path + "/other"]
        let other = try await runHerald(["plan"], in: project, variables: elsewhere)
        #expect(other.err.hasSuffix("\n2 warnings\n"))
    }

    @Test func `suggests the apply on a terminal only`() async throws {
        let run = try await runHerald(["plan"], in: project, columns: 120)
        #expect(run.err.hasPrefix("Next: herald apply -C "))
    }

    @Test func `writes the plan as JSON`() async throws {
        let run = try await runHerald(["plan", "--json"], in: project)
        let plan = try run.json
        #expect(plan["now"] == "2037-03-20T08:30:00Z")
        #expect(plan["has_changes"] == true)
        let campaign = try #require(plan["campaigns"]?.arrayValue?.first)
        #expect(campaign["occurrence"] == "hello/once/1")
        #expect(campaign["audience"]?["topic"] == "news")
        #expect(campaign["requests"] == 1)
    }

    @Test func `exits with 2 for pending changes only if the exit code is requested`() async throws
    {
        #expect(try await runHerald(["plan"], in: project).code == 0)
        #expect(try await runHerald(["plan", "--detailed-exitcode"], in: project).code == 2)
        try project.write("campaigns/hello.yaml", "")
        #expect(try await runHerald(["plan", "--detailed-exitcode"], in: project).code == 0)
    }

    @Test func `leaves out what is not selected, and reports it`() async throws {
        try project.write(
            "campaigns/other.yaml",
            TemporaryFolder.campaign(to: "{ topic: news }")
                .replacing("campaign: hello", with: "campaign: other")
        )
        let run = try await runHerald(["plan", "--json", "--only", "other"], in: project)
        let plan = try run.json
        #expect(
            plan["campaigns"]?.arrayValue?.compactMap { $0["campaign"]?.stringValue } == ["other"]
        )
        #expect(run.err == "1 campaign left out by --only.\n")
    }

    @Test func `refuses a selection that matches nothing`() async throws {
        let run = try await runHerald(["plan", "--only", "helo"], in: project)
        #expect(run.code == 64)
        #expect(
            run.err == """
                error: `helo` matches no campaign or audience in the files or in the state
                help: did you mean `hello`?

                """
        )
    }

    @Test func `plans nothing if a file is invalid`() async throws {
        try project.write("campaigns/hello.yaml", TemporaryFolder.campaign(to: "{ topic: nws }"))
        let run = try await runHerald(["plan"], in: project)
        #expect(run.code == 65)
        #expect(run.out == "")
        #expect(run.err.hasPrefix("error[unknown-topic]"))
        #expect(run.err.hasSuffix("\nerror: the files have problems, so nothing is planned\n"))
    }

    @Test func `names an interrupted send whose list cannot be read`() async throws {
        let list = "campaigns/registrations/all.txt"
        try project.write(list, "ana:APA91b-1\nbea:APA91b-2\n")
        try project.write(
            "campaigns/hello.yaml",
            TemporaryFolder.campaign(to: "{ registrations: \(list) }")
        )
        let server = FakeServer { _ in .interrupted(status: 429, code: "QUOTA_EXCEEDED") }
        let apply = ["apply", "--yes"]
        let cut = try await runHerald(apply + ["--parallelism", "1"], in: project, server: server)
        #expect(cut.code == 130)
        try project.write(list, "")
        let note =
            "note: the send hello/once/1 was interrupted, and 2 requests remain, to the list that "
            + "was stored when it began. If you correct the files, the next `herald apply` sends "
            + "them. If you remove the campaign, it cancels them.\n"
        for command in [["plan"], apply] {
            let run = try await runHerald(command, in: project)
            #expect(run.code == 65)
            #expect(run.out == "")
            #expect(run.err.hasPrefix("error[empty-list]"))
            #expect(run.err.contains("\n" + note + "error: the files have problems"))
        }
    }

    @Test func `writes a plan file that an apply accepts`() async throws {
        let path = project.path + "/plan.json"
        let plan = try await runHerald(["plan", "--out", path], in: project)
        #expect(plan.err == "Wrote \(path).\n")
        let server = FakeServer()
        let apply = try await runHerald(["apply", "--expect", path], in: project, server: server)
        #expect(apply.code == 0)
        #expect(server.messages.count == 1)
    }
}
