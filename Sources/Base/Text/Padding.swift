/// The decimal digits of a number of at least 0, with leading zeros up to `width`.
package func padded(_ number: Int, to width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
}
