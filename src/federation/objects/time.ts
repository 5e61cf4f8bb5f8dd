/** A moment as documents tell it: in seconds, UTC. */
export function timeOf(moment: Date): string {
  return `${moment.toISOString().slice(0, 19)}Z`
}
