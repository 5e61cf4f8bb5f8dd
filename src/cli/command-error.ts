import { describeError } from '../lib/describe-error.ts'
import { RequestError } from '../lib/errors.ts'
import { ConfigError, shouldLogStacks } from '../platform/config/config.ts'
import { BackupError } from '../platform/db/backup/backup-error.ts'
import { DataFolderError } from '../platform/data-folder/create-data-folder.ts'
import { isDatabaseUnreachable } from '../platform/db/connection.ts'
import { EmbeddedDatabaseError } from '../platform/db/embedded/embedded-database-error.ts'
import { DatabaseUnavailableError } from '../platform/db/open-database.ts'
import { mapStack } from '../platform/log/map-stack.ts'
import { MigrationError } from '../platform/db/read-migrations.ts'
import { SecretsFileError } from '../platform/secrets.ts'
import { ValkeyUnavailableError } from '../platform/valkey-unavailable-error.ts'

/** Problems of the system that an administrator has to solve, by their codes. */
const SYSTEM_PROBLEMS: Record<string, string> = {
  ENOSPC: 'The disk is full',
  EDQUOT: 'The disk quota is exceeded',
  EROFS: 'The file system is read-only',
  // PostgreSQL's code (disk_full).
  '53100': 'The disk of the database is full',
}

/** Ends a command with one line for the administrator. */
export class CommandError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'CommandError'
  }
}

/** Runs work. Prints errors on standard error and sets the exit code 1. */
export async function runOrReport(work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (err) {
    reportError(err)
  }
}

/** Prints an error on standard error and sets the exit code 1. Includes the stack trace at the log level `debug`. */
export function reportError(err: unknown): void {
  // Clears the line of a progress bar that was not finished.
  if (process.stderr.isTTY) process.stderr.write('\r\u001b[K')
  for (const line of linesOf(err)) console.error(line)
  if (shouldLogStacks() && err instanceof Error) console.error(mapStack(err.stack ?? ''))
  process.exitCode = 1
}

/** Returns one line for each problem. */
function linesOf(err: unknown): string[] {
  if (err instanceof ConfigError) return err.problems
  if (isExpectedError(err)) return [describeError(err)]
  const message = err instanceof Error ? err.message || err.name : String(err)
  const systemProblem = SYSTEM_PROBLEMS[(err as NodeJS.ErrnoException | null)?.code ?? '']
  if (systemProblem !== undefined) return [`${systemProblem}: ${message}`]
  if (isDatabaseUnreachable(err)) return [`The database is unreachable: ${message}`]
  return [`Unexpected error: ${message} (LOG_LEVEL=debug prints the stack trace)`]
}

function isExpectedError(err: unknown): err is Error {
  return [
    RequestError,
    BackupError,
    CommandError,
    DataFolderError,
    DatabaseUnavailableError,
    EmbeddedDatabaseError,
    MigrationError,
    SecretsFileError,
    ValkeyUnavailableError,
  ].some((kind) => err instanceof kind)
}
