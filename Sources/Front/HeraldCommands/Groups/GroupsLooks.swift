import ArgumentParser
import CampaignModel
import Memberships
import Presentation
import RegistrationLists
import RunControl
import State
import StoreTables

/// The `herald groups list` command.
struct GroupsListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        _superCommandName: "herald groups",
        abstract: "List the known device groups.",
        discussion: """
            EXAMPLES
              herald groups list -e production

            FCM does not list groups. Herald lists the groups that it created or changed.
            """
    )

    @OptionGroup var options: ProjectOptions
    @OptionGroup var environment: EnvironmentOptions

    func run() async throws {
        try await options.reportingFailure {
            let state = try EnvironmentState(in: try Session(options), chosen: environment)
            let store = try await state.openIfThere()
            let groups = try await mapStateErrors { () async throws(StateStoreError) in
                try await store?.deviceGroups() ?? []
            }
            Output.data(DeviceGroupTextView(style: options.outputStyle).renderList(groups))
        }
    }
}

/// The `herald groups show` command.
struct GroupsShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        _superCommandName: "herald groups",
        abstract: "Show the known members of a device group.",
        discussion: """
            EXAMPLES
              herald groups show family-7

            Requests the group's key from FCM and shows its fingerprint. The emulator's records \
            use the same fingerprint for messages to the group.
            """
    )

    @OptionGroup var options: ProjectOptions
    @OptionGroup var environment: EnvironmentOptions
    @OptionGroup var server: EndpointOptions

    @Argument(help: "Name of the group.", transform: GroupChangeOptions.name)
    var name: DeviceGroupName

    func run() async throws {
        try await options.reportingFailure {
            let desk = try await DeviceGroupSession(
                options: options,
                environment: environment,
                server: server,
                makesState: false
            )
            let record = try await desk.record(of: name)
            let key = try await desk.reaching { executor throws(CommandFailure) in
                try await desk.asking { () async throws(ApplyError) in
                    try await executor.key(of: name)
                }
            }
            let known = record ?? DeviceGroupRecord(name: name, members: [], isWhole: false)
            let print = Registration(key).map(desk.fingerprinter.fingerprint)
            Output.data(DeviceGroupTextView(style: options.outputStyle).render(known, key: print))
        }
    }
}
