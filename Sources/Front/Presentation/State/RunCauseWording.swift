/// Why a command other than an apply changed the state, for the history.
package enum RunCauseWording {
    package static let erasedRegistrations = "registrations were erased"
    package static let olderCopy = "an older copy of the state was put in place"
}
