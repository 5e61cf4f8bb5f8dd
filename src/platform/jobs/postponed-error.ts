/**
 * Thrown by a job that cannot continue now although it has not failed. The worker then enqueues the job again for
 * later, and this run does not count as a failure.
 */
export class PostponedError extends Error {
  readonly delayMs: number

  constructor(reason: string, { delayMs }: { delayMs: number }) {
    super(`${reason}: postponed by ${Math.round(delayMs)} ms`)
    this.name = 'PostponedError'
    this.delayMs = delayMs
  }
}
