let number = 0

/** Says what has been shown now. */
export function step(text: string): void {
  number += 1
  console.log(`${String(number).padStart(2)}. ${text}`)
}
