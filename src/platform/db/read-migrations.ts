import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { bundledPath } from '../bundled-path.ts'

/** Thrown if the schema cannot be migrated. The message is one line. */
export class MigrationError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'MigrationError'
  }
}

/** An index that is built while other sessions write to its table. */
export interface ConcurrentIndex {
  name: string
  /** `create index concurrently if not exists …` */
  statement: string
}

/** A migration has either `up`, SQL that runs in one transaction, or indexes that are built outside a transaction. */
export interface Migration {
  name: string
  up: string | null
  concurrentIndexes: ConcurrentIndex[]
}

export const MIGRATIONS_FOLDER = bundledPath('migrations') ?? join(import.meta.dirname, '../../../migrations')

const FILE_TYPE = bundledPath('migrations') === null ? '.ts' : '.js'
const FILE_NAME = /^\d{4}-[a-z0-9-]+\.[jt]s$/
const CONCURRENT_INDEX =
  /^\s*create\s+(?:unique\s+)?index\s+concurrently\s+if\s+not\s+exists\s+([a-z_][a-z0-9_]*)\s+on\s/

/** Returns the names of the migrations of a folder in the order of their numbers. */
export async function listMigrations(folder: string): Promise<string[]> {
  const files = (await readdir(folder)).filter((file) => FILE_NAME.test(file)).toSorted()
  return files.map((file) => file.slice(0, -FILE_TYPE.length))
}

/**
 * Returns the migrations of a folder with these names, by default all, in the order of their numbers.
 * @throws MigrationError for a file that exports neither or both of `up` and `concurrentIndexes`, or an index statement
 *   that cannot be repeated
 */
export async function readMigrations(folder: string, names?: readonly string[]): Promise<Migration[]> {
  return Promise.all(
    (names ?? (await listMigrations(folder))).map(async (name) => {
      const exported: unknown = await import(pathToFileURL(join(folder, name + FILE_TYPE)).href)
      return checkMigration(name, exported as { up?: unknown; concurrentIndexes?: unknown })
    }),
  )
}

function checkMigration(
  name: string,
  { up, concurrentIndexes }: { up?: unknown; concurrentIndexes?: unknown },
): Migration {
  if (typeof up === 'string' && concurrentIndexes === undefined) return { name, up, concurrentIndexes: [] }
  if (up === undefined && Array.isArray(concurrentIndexes) && concurrentIndexes.length > 0) {
    return { name, up: null, concurrentIndexes: concurrentIndexes.map((text) => checkIndex(name, String(text))) }
  }
  throw new MigrationError(`Migration ${name} must export either up, as text, or concurrentIndexes, as a list of texts`)
}

function checkIndex(migration: string, statement: string): ConcurrentIndex {
  const name = CONCURRENT_INDEX.exec(statement)?.[1]
  if (name !== undefined) return { name, statement }
  throw new MigrationError(
    `Migration ${migration}: an entry of concurrentIndexes must begin with "create index concurrently if not exists NAME on"`,
  )
}
