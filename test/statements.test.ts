import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { checkStatements } from '../bin/statements/check.ts'
import { cloneDatabase } from './services/database/test-database.ts'

const STATEMENT = join(import.meta.dirname, '..', 'src', 'platform', 'db', 'statement.ts')

/** Statements with one mistake each, and the error that the check reports. */
const MISTAKES: Record<string, { source: string; problem: RegExp }> = {
  'a misspelt column': {
    source: "statement<{ row: { id: string } }>('select idd as id from accounts')",
    problem: /column "idd" does not exist/,
  },
  'a misspelt table': {
    source: "statement<{ row: { id: string } }>('select id from acounts')",
    problem: /relation "acounts" does not exist/,
  },
  'a forgotten parameter': {
    source: "statement<{ row: { id: string } }>('select id from accounts where id = $accountId')",
    problem: /the text uses \$accountId, which the type does not declare/,
  },
  'a parameter that the text does not use': {
    source: "statement<{ params: { id: string }; row: { id: string } }>('select id from accounts')",
    problem: /the type declares the parameter id, which the text does not use/,
  },
  'a mistyped parameter': {
    source: "statement<{ params: { at: number } }>('select from accounts where created_at < $at')",
    problem: /the declared type of \$at does not fit PostgreSQL's timestamptz/,
  },
  'a nullable column declared as string': {
    source: "statement<{ row: { domain: string } }>('select domain from accounts')",
    problem: /the column domain can be null, but the type does not say so/,
  },
  'a column declared as nullable that never is': {
    source: "statement<{ row: { username: string | null } }>('select username from accounts')",
    problem: /the column username is never null, but the type says so/,
  },
  'a column of another type': {
    source: "statement<{ row: { id: number } }>('select id from accounts')",
    problem: /the declared type of the column id does not fit PostgreSQL's int8/,
  },
  'a column declared as any': {
    source: "statement<{ row: { domain: any } }>('select domain from accounts')",
    problem: /the declared type of the column domain does not fit PostgreSQL's text/,
  },
  'a result that lacks a declared column': {
    source: "statement<{ row: { id: string; note: string } }>('select id from accounts')",
    problem: /the type declares the column note, which the result does not have/,
  },
  'a result with a column that is not declared': {
    source: "statement<{ row: { id: string } }>('select id, note from accounts')",
    problem: /the result has a column note, which the type does not declare/,
  },
  'a superfluous notNull': {
    source: "statement<{ row: { id: string }; notNull: 'id' }>('select id from accounts')",
    problem: /notNull names the column id, which is never null anyway/,
  },
  'a variant made by a function': {
    source: "((table: string) => statement<{ row: { uri: string } }>(`select uri from ${table}`))('lists')",
    problem: /column "uri" does not exist/,
  },
  'a statement that is defined after its module was loaded': {
    source: "() => statement<{ row: { id: string } }>('select id from accounts')",
    problem: /the statement is not defined when its module is loaded/,
  },
}

const CORRECT = `
export const find = statement<{
  // The types of a file are in scope.
  params: { accountId: string; since: Date | null; names: readonly string[] }
  row: Found
  notNull: 'domain'
}>(\`select id, domain, suspended_at, 'a $literal' as text from accounts
  where id = $accountId and created_at > $since and username = any($names) and domain is not null\`)
interface Found {
  id: string
  domain: string
  suspended_at: Date | null
  text: string
}
export const joined = statement<{ row: { id: string; list: string | null } }>(
  'select a.id, l.id as list from accounts a left join lists l on l.account_id = a.id',
)
`

let database: Awaited<ReturnType<typeof cloneDatabase>>
let folder: string
let result: Awaited<ReturnType<typeof checkStatements>>

before(async () => {
  database = await cloneDatabase()
  folder = await mkdtemp(join(tmpdir(), 'linnet-mistakes-'))
  const write = (name: string, source: string) =>
    writeFile(join(folder, name), `import { statement } from '${STATEMENT}'\n${source}`)
  await write('correct.ts', CORRECT)
  for (const [n, { source }] of Object.values(MISTAKES).entries()) {
    await write(`mistake-${n}.ts`, `export const wrong = ${source}\n`)
  }
  result = await checkStatements(folder, database.connection)
})

after(async () => {
  await database.drop()
  await rm(folder, { recursive: true, force: true })
})

for (const [n, [name, { problem }]] of Object.entries(MISTAKES).entries()) {
  test(`the check of statements rejects ${name}`, () => {
    const problems = result.problems.filter(({ file }) => file === join(folder, `mistake-${n}.ts`))
    assert.deepEqual(
      problems.map(({ line }) => line),
      [2],
    )
    assert.match(problems[0]!.text, problem)
  })
}

test('the check of statements accepts correct ones, with types of their file, and does not read literals as parameters', () => {
  assert.deepEqual(
    result.problems.filter(({ file }) => file === join(folder, 'correct.ts')),
    [],
  )
  assert.equal(result.count, Object.keys(MISTAKES).length + 1)
})

test('defining a statement with a positional parameter throws', async () => {
  const { statement } = await import('../src/platform/db/statement.ts')
  assert.throws(() => statement('select $1'), /A statement uses \$1: name its parameters/)
})
