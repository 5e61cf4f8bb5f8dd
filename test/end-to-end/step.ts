let number = 0

/** Prints the next step with its number. */
export function logStep(text: string): void {
  number += 1
  console.log(`${String(number).padStart(2)}. ${text}`)
}
