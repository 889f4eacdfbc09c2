/// Why a file of the project cannot be changed.
package enum FileProblemWording {
    package static let missing = "it no longer exists"
    package static let changed = "it changed during the check; run the command again"
    package static let linked = "its path contains a link; fix the linked file instead"
    package static let ambiguous = "it has no unambiguous place for the lineage"
}
