import { NotFoundError } from '../lib/errors.ts'
import { CommandError } from './command-error.ts'

/** Waits for an operation. If it does not find its object, the command fails with a text that names the object. */
export async function explainNotFound(operation: Promise<void>, text: string): Promise<void> {
  await operation.catch((err: unknown) => {
    throw err instanceof NotFoundError ? new CommandError(text) : err
  })
}
