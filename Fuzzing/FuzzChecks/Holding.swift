/// Ends the process if an invariant is violated; the fuzzer then keeps the input.
package func hold(_ condition: Bool, _ otherwise: @autoclosure () -> String) {
    guard !condition else { return }
    fatalError(otherwise())
}
