import { Refusal } from '../lib/errors.ts'
import { ConfigMistakes, showsStacks } from '../platform/config.ts'
import { DataFolderRefusal } from '../platform/create-data-folder.ts'
import { isUnreachable } from '../platform/db/connect.ts'
import { EmbeddedRefusal } from '../platform/db/embedded/refusal.ts'
import { DatabaseRefusal } from '../platform/db/open.ts'
import { MigrationError } from '../platform/db/read-migrations.ts'

/** Ends a command with one line for the person at the console. */
export class Halt extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'Halt'
  }
}

/** Does something for the console; what goes wrong is told there and becomes the exit code 1. */
export async function attempt(work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (err) {
    reportFailure(err)
  }
}

/** Tells a failure on standard error and sets the exit code 1. The stack comes along at the log level `debug`. */
export function reportFailure(err: unknown): void {
  for (const line of describeFailure(err)) console.error(line)
  if (showsStacks() && err instanceof Error) console.error(err.stack)
  process.exitCode = 1
}

/** One line for each thing that is wrong: mostly one. */
function describeFailure(err: unknown): string[] {
  if (err instanceof ConfigMistakes) return err.mistakes
  if (isPlain(err)) return [err.message]
  const message = err instanceof Error ? err.message || err.name : String(err)
  if (isUnreachable(err)) return [`The database is unreachable: ${message}`]
  return [`Unexpected error: ${message} (LOG_LEVEL=debug prints the stack trace)`]
}

function isPlain(err: unknown): err is Error {
  return [Refusal, Halt, DataFolderRefusal, DatabaseRefusal, EmbeddedRefusal, MigrationError].some(
    (kind) => err instanceof kind,
  )
}
