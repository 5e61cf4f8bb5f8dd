/** Thrown if the first connection to Valkey or Redis fails. The message is one line, without the password. */
export class ValkeyUnavailableError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'ValkeyUnavailableError'
  }
}
