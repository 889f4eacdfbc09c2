/// What `--only` and `--except` were given, as it was written; with it a plan can be asked for again.
package struct Selectors: Hashable, Sendable {
    package let only: [String]
    package let except: [String]

    package init(only: [String] = [], except: [String] = []) {
        self.only = only
        self.except = except
    }
}
