import ArgumentParser
import Applying
import CampaignModel
import Presentation
import State
import RegistrationLists
import SQLiteStore

/// The `herald groups list` command.
struct GroupsList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the device groups that are known here.",
        discussion: """
            EXAMPLES
              herald groups list -e production

            FCM lists no groups: these are the ones that Herald made or changed.
            """
    )

    @OptionGroup var options: GlobalOptions
    @OptionGroup var environment: EnvironmentOptions

    func run() async throws {
        try await options.reportingFailure {
            let state = try EnvironmentState(try Pipeline(options), environment)
            let groups = try state.openIfThere().map { store throws(CommandFailure) in
                try stating { () throws(StateStoreError) in try store.deviceGroups() }
            }
            Output.data(DeviceGroupTextView().renderList(groups ?? []))
        }
    }
}

/// The `herald groups show` command.
struct GroupsShow: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show who is in a device group, as far as is known.",
        discussion: """
            EXAMPLES
              herald groups show family-7

            Asks FCM for the group's key, to show its fingerprint: with it, what was sent to the key is \
            found in the emulator's records.
            """
    )

    @OptionGroup var options: GlobalOptions
    @OptionGroup var environment: EnvironmentOptions
    @OptionGroup var server: EndpointOptions

    @Argument(help: "The group's name.", transform: GroupChangeOptions.name)
    var name: DeviceGroupName

    func run() async throws {
        try await options.reportingFailure {
            let desk = try GroupDesk(options, environment, server, makesState: false)
            let record = try desk.record(of: name)
            let key = try await desk.reaching { executor throws(CommandFailure) in
                try await desk.asking { () async throws(ApplyError) in
                    try await executor.key(of: name)
                }
            }
            let known = record ?? DeviceGroupRecord(name: name, members: [], isWhole: false)
            let print = Registration(key).map(desk.fingerprinter.fingerprint)
            Output.data(DeviceGroupTextView().render(known, key: print))
        }
    }
}
