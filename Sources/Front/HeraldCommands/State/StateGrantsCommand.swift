import ArgumentParser
import PostgresStore
import Presentation

/// The `herald state grants` command, which prints the SQL for the rights of a database role.
struct StateGrantsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "grants",
        _superCommandName: "herald state",
        abstract: "Print the SQL that lets a PostgreSQL role plan or apply.",
        discussion: """
            EXAMPLES
              herald state grants plan herald_review | psql "$OWNER_URL"
              herald state grants apply herald_apply | psql "$OWNER_URL"

            Run the SQL as the role that created the state, after `herald state init` and after \
            each update of Herald that adds tables. It replaces the earlier rights of the role.

            plan: `herald plan` works; registrations, identities, message IDs and the names of \
            users cannot be read, and nothing can be written.
            apply: all commands work on an existing state. The role can neither create nor change \
            tables.
            """
    )

    @Argument(help: "What the role may do: plan or apply.")
    var purpose: PostgresGrants.Purpose

    @Argument(help: "Name of the PostgreSQL role, which must exist.")
    var role: String

    func validate() throws {
        guard !role.isEmpty, !role.contains("\0") else {
            throw ValidationError("the name of the role must not be empty")
        }
    }

    func run() {
        Output.data(PostgresGrants(purpose, to: role).sql)
    }
}

extension PostgresGrants.Purpose: ExpressibleByArgument {}
