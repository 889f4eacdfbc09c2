/// The values of `--only` and `--except` as written, used to request the same plan again.
package struct Selectors: Hashable, Sendable {
    package let only: [String]
    package let except: [String]

    package init(only: [String] = [], except: [String] = []) {
        self.only = only
        self.except = except
    }
}
