import { globSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { recordStatements } from '../../src/platform/db/statement.ts'
import type { StatementText } from '../../src/platform/db/statement.ts'

/** A statement with the position of the call that defines it. Lines and columns start at 1. */
export interface DefinedStatement extends StatementText {
  file: string
  line: number
  column: number
}

/** Files that are not imported: programs, which would start, and tests. */
export const EXCLUDED = /(^|\/)main\.ts$|\.test\.ts$/

const FRAME = /(file:\/\/\/.*\.ts):(\d+):(\d+)/

/** Imports every module of the folder and returns the statements that they define, in the order of their definition. */
export async function collectStatements(folder: string): Promise<DefinedStatement[]> {
  const statements: DefinedStatement[] = []
  Error.stackTraceLimit = 20
  recordStatements((statement) => {
    const frames = (new Error().stack ?? '').split('\n').slice(1)
    // The frames of this callback and of `statement` itself come first.
    const caller = frames.filter((frame) => !/\/(bin\/statements\/collect|platform\/db\/statement)\.ts:/.test(frame))[0]
    const [, url, line, column] = FRAME.exec(caller ?? '') ?? []
    if (url === undefined) throw new Error(`No source position for the statement ${statement.text}`)
    statements.push({ ...statement, file: fileURLToPath(url), line: Number(line), column: Number(column) })
  })
  const files = globSync('**/*.ts', { cwd: folder }).filter((file) => !EXCLUDED.test(file))
  for (const file of files.toSorted()) await import(pathToFileURL(join(folder, file)).href)
  return statements
}
