/// Ends the process where something does not hold that holds for every input: the fuzzer then
/// keeps the input.
package func hold(_ condition: Bool, _ otherwise: @autoclosure () -> String) {
    guard !condition else { return }
    fatalError(otherwise())
}
