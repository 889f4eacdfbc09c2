import ArgumentParser
import PostgresStore
import Presentation

/// The `herald state grants` command, which prints the SQL for the rights of a database role.
struct StateGrantsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "grants",
        _superCommandName: "herald state",
        abstract: "Print the SQL that gives a PostgreSQL role its rights.",
        discussion: """
            EXAMPLES
              herald state grants plan herald_review | psql -v ON_ERROR_STOP=1 "$OWNER_URL"
              herald state grants plan --frequency-caps herald_review
              herald state grants results herald_analyst
              herald state grants apply herald_apply

            Run the SQL as the role that created the state, after `herald state init` and after \
            each update of Herald that adds tables. It replaces the earlier rights of the role.

            plan: `herald plan` works, and nothing can be written. Registrations, identities, the \
            message IDs of list sends, and the users and machines of runs cannot be read. Who paused \
            a campaign or resolved a send can be read.
            results: `herald results` works, and nothing can be written. Looks are not recorded. Hashes \
            of identities can be read, registrations cannot.
            apply: all commands work on an existing state. The role can neither create nor change \
            tables.
            """
    )

    @Argument(help: "What the role may do: plan, results or apply.")
    var purpose: PostgresGrants.Purpose

    @Argument(help: "Name of the PostgreSQL role, which must exist.")
    var role: String

    @Flag(
        name: .customLong("frequency-caps"),
        help: "With plan: also read hashes of identities, for campaigns with frequency caps."
    )
    var hasFrequencyCaps = false

    func validate() throws {
        guard !role.isEmpty else {
            throw ValidationError("the name of the role must not be empty")
        }
        guard !hasFrequencyCaps || purpose == .plan else {
            throw ValidationError(
                "--frequency-caps requires plan: a role that applies reads all tables"
            )
        }
    }

    func run() {
        Output.data(PostgresGrants(purpose, to: role, hasFrequencyCaps: hasFrequencyCaps).sql)
    }
}

extension PostgresGrants.Purpose: ExpressibleByArgument {}
