import pg from 'pg'
import type { Connection } from '../../src/platform/db/connection.ts'
import { collectStatements } from './collect.ts'
import { compareTypes } from './compare.ts'
import type { Expected, Problem } from './compare.ts'
import { describeStatement } from './describe.ts'
import { findLateCalls } from './late-calls.ts'
import { TypeCatalogue } from './types.ts'

/**
 * Lets PostgreSQL parse every statement that the modules of a folder define, on a database with the migrated schema,
 * and compares its parameters and columns with the declared types. Returns the number of statements and the problems.
 */
export async function checkStatements(
  folder: string,
  connection: Connection,
): Promise<{ count: number; problems: Problem[] }> {
  const statements = await collectStatements(folder)
  const client = new pg.Client(connection)
  await client.connect()
  try {
    const catalogue = await TypeCatalogue.load(client)
    const problems: Problem[] = await findLateCalls(folder, statements)
    const expected: Expected[] = []
    for (const statement of statements) {
      try {
        const description = await describeStatement(client, statement.text)
        expected.push({ statement, expectation: catalogue.expect(description, statement) })
      } catch (err) {
        if (!(err instanceof Error)) throw err
        problems.push({ file: statement.file, line: statement.line, text: err.message })
      }
    }
    problems.push(...(await compareTypes(folder, expected)))
    return { count: statements.length, problems }
  } finally {
    await client.end()
  }
}
