import { NotFoundError } from '../lib/errors.ts'
import { CommandError } from './command-error.ts'

/** Waits for an operation. If it does not find its object, the command fails with a text that names the object. */
export async function explainNotFound<Result>(operation: Promise<Result>, text: string): Promise<Result> {
  return operation.catch((err: unknown) => {
    throw err instanceof NotFoundError ? new CommandError(text) : err
  })
}
