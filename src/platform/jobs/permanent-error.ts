/**
 * Thrown by a job that would fail in each further attempt, too, for a reason outside of this program. The job is then
 * dead at once, until the staff retry or delete it.
 */
export class PermanentError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'PermanentError'
  }
}
