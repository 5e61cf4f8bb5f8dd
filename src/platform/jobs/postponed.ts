/**
 * Thrown by a job that cannot go on now although nothing is wrong with it. The worker then writes the job again for
 * later, and this run does not count as a failure.
 */
export class Postponed extends Error {
  readonly delayMs: number

  constructor(reason: string, { delayMs }: { delayMs: number }) {
    super(`${reason}: postponed by ${Math.round(delayMs)} ms`)
    this.name = 'Postponed'
    this.delayMs = delayMs
  }
}
