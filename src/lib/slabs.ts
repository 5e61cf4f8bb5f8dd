/** What most answers fit into. */
const SLAB_BYTES = 128 * 1024

/** So many are kept for the next ones. */
const MAX_RESTING = 32

const resting: Buffer[] = []

/** Memory for a moment, to be given back: to make and drop it for each answer is a burden to the garbage collector. */
export function takeSlab(): Buffer {
  return resting.pop() ?? Buffer.allocUnsafeSlow(SLAB_BYTES)
}

/** Only what nobody reads any more. */
export function giveSlab(slab: Buffer): void {
  if (resting.length < MAX_RESTING) resting.push(slab)
}
