import { test } from 'node:test'
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { findViolations } from './layers/find-violations.ts'
import { readArchitecture } from './layers/read-layers.ts'

const ROOT = new URL('..', import.meta.url).pathname
const ARCHITECTURE = readFileSync(`${ROOT}ARCHITECTURE.md`, 'utf8')

const DRAWING = `
## Layers

\`\`\`
5  main  app                 wiring
4  http │ streaming          entry points
2  domain                    operations
0  lib │ entities            helpers
   web/                      the client
\`\`\`

## Domain layers

\`\`\`
10  instance
 9  statuses │ accounts
 0  context  events
\`\`\`

## Long files

- \`src/lib/long.ts\`: one list, and splitting it would hide its order
`

/** The violations of a program with the drawing above and only these files. */
function violationsOf(files: Record<string, string>): string[] {
  const long = { 'src/lib/long.ts': '\n'.repeat(301) }
  return findViolations(new Map(Object.entries({ ...long, ...files })), DRAWING)
}

test('the code respects the layers of the drawings and has no cycles, barrels, other HTTP clients, overlong files or large folders', () => {
  const paths = globSync('{src,bin,test,migrations,bench,web}/**/*.{ts,tsx,js,mjs}', {
    cwd: ROOT,
    exclude: ['**/node_modules/**', 'web/dist/**', 'bench/results/**'],
  })
  const files = new Map(paths.toSorted().map((path) => [path, readFileSync(ROOT + path, 'utf8')]))
  assert.ok(files.size > 0)
  assert.deepEqual(findViolations(files, ARCHITECTURE), [])
})

test('the drawings list every layer, and the neighbours that must not import one another', () => {
  const [program, domain] = readArchitecture(ARCHITECTURE).drawings
  assert.deepEqual([program?.root, domain?.root], ['src', 'src/domain'])
  assert.deepEqual(
    program?.layers.map(({ level }) => level),
    [5, 4, 3, 2, 1, 0],
  )
  assert.deepEqual(program?.layers[1], {
    level: 4,
    names: ['http', 'federation', 'streaming', 'mail', 'push', 'webhooks', 'cli'],
    isIsolated: true,
  })
  assert.equal(program?.layers[0]?.isIsolated, false)
  assert.deepEqual(
    domain?.layers.map(({ level }) => level),
    [11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0],
  )
  const paths = globSync('**/*.ts', { cwd: `${ROOT}src/domain`, exclude: ['**/*.test.ts'] })
  const members = new Set(paths.map((path) => path.split('/')[0]!.replace(/\.ts$/, '')))
  assert.deepEqual(domain?.layers.flatMap(({ names }) => names).toSorted(), [...members].toSorted())
})

test('an import may point down, but not up', () => {
  assert.deepEqual(violationsOf({ 'src/http/a.ts': `import { b } from '../domain/b.ts'` }), [])
  assert.deepEqual(violationsOf({ 'src/domain/b.ts': `import { a } from '../http/a.ts'` }), [
    'src/domain/b.ts:1 layer 2 (domain) imports from layer 4 (http) (../http/a.ts)',
  ])
})

test('a folder has at most 25 files; test files, subfolders and migrations do not count', () => {
  const namesIn = (folder: string, count: number, suffix = '.ts') =>
    Object.fromEntries(Array.from({ length: count }, (_, n) => [`${folder}/n${n}${suffix}`, '']))
  const allowed = { ...namesIn('src/lib', 24), ...namesIn('src/lib', 30, '.test.ts'), ...namesIn('src/lib/text', 25) }
  assert.deepEqual(violationsOf({ ...allowed, ...namesIn('migrations', 60) }), [])
  assert.deepEqual(violationsOf(namesIn('src/http', 26)), ['src/http/ has 26 files: group them in subfolders'])
})

test('types, import(), inline import types, re-exports and worker URLs count as imports', () => {
  for (const source of [
    `import type { A } from '../http/a.ts'`,
    `import { type A } from '../http/a.ts'`,
    `export type { A } from '../http/a.ts'\nexport const b = 1`,
    `export async function b() { return import('../http/a.ts') }`,
    `export type B = import('../http/a.ts').A`,
    `export const worker = new URL('../http/a.ts', import.meta.url)`,
    `import '../http/a.ts'`,
  ]) {
    assert.match(violationsOf({ 'src/domain/b.ts': source }).join(), /layer 2 \(domain\) imports from layer 4/, source)
  }
})

test('neighbours in a layer must not import one another unless the drawing allows it', () => {
  assert.deepEqual(violationsOf({ 'src/http/a.ts': `import { s } from '../streaming/s.ts'` }), [
    'src/http/a.ts:1 http and streaming are neighbours in layer 4 (../streaming/s.ts)',
  ])
  assert.deepEqual(violationsOf({ 'src/http/a.ts': `import { b } from './api/b.ts'` }), [])
  assert.deepEqual(violationsOf({ 'src/main.ts': `import { app } from './app.ts'` }), [])
})

test('the folders of the domain have layers of their own', () => {
  const b = 'export const b = 1'
  const down = { 'src/domain/instance/a.ts': `import { b } from '../statuses/b.ts'`, 'src/domain/statuses/b.ts': b }
  assert.deepEqual(violationsOf(down), [])
  const up = { 'src/domain/statuses/a.ts': `import { b } from '../instance/b.ts'`, 'src/domain/instance/b.ts': b }
  assert.deepEqual(violationsOf(up), [
    'src/domain/statuses/a.ts:1 layer 9 (statuses) imports from layer 10 (instance) (../instance/b.ts)',
  ])
  const beside = { 'src/domain/statuses/a.ts': `import { b } from '../accounts/b.ts'`, 'src/domain/accounts/b.ts': b }
  assert.deepEqual(violationsOf(beside), [
    'src/domain/statuses/a.ts:1 statuses and accounts are neighbours in layer 9 (../accounts/b.ts)',
  ])
  assert.match(
    violationsOf({ 'src/domain/x/a.ts': `import { b } from '../events.ts'` }).join(),
    /domain\/x is in no layer/,
  )
})

test('a folder that is in no layer is a violation', () => {
  assert.match(
    violationsOf({ 'src/utils/a.ts': `import { b } from '../lib/b.ts'` }).join(),
    /src\/utils is in no layer/,
  )
})

test('an import cycle is a violation, also of types and within one layer', () => {
  const files = {
    'src/lib/a.ts': `import type { B } from './b.ts'\nexport type A = B`,
    'src/lib/b.ts': `import { c } from './c.ts'\nexport type B = typeof c`,
    'src/lib/c.ts': `import type { A } from './a.ts'\nexport const c = null as A`,
  }
  assert.deepEqual(violationsOf(files), [
    'src/lib/a.ts:1 a cycle: src/lib/a.ts → src/lib/b.ts → src/lib/c.ts → src/lib/a.ts',
  ])
})

test('tests may import from every layer, but nothing may import tests', () => {
  assert.deepEqual(violationsOf({ 'src/domain/a.test.ts': `import { http } from '../http/a.ts'` }), [])
  assert.deepEqual(violationsOf({ 'src/domain/a.test.ts': `import { server } from '../../test/server.ts'` }), [])
  assert.match(
    violationsOf({ 'src/domain/a.ts': `import { server } from '../../test/server.ts'` }).join(),
    /outside src/,
  )
  assert.match(violationsOf({ 'src/domain/a.ts': `import { x } from './b.test.ts'` }).join(), /nothing imports a test/)
})

test('migrations must import nothing, and the web client only types of the API', () => {
  assert.deepEqual(violationsOf({ 'migrations/0001-a.ts': 'export const up = `create table a (id bigint)`' }), [])
  assert.match(
    violationsOf({ 'migrations/0001-a.ts': `import { x } from '../src/lib/x.ts'` }).join(),
    /imports nothing/,
  )
  assert.match(violationsOf({ 'migrations/0001-a.ts': `import pg from 'pg'` }).join(), /imports nothing/)
  const importing = (line: string) => violationsOf({ 'web/src/a.tsx': line }).join()
  assert.match(importing(`import type { S } from '../../src/domain/s.ts'`), /public API/)
  assert.match(importing(`import { S } from '../../src/entities/s.ts'`), /public API/)
  assert.equal(importing(`import type { S } from '../../src/entities/s.ts'`), '')
  assert.equal(importing(`import { b } from './b'\nimport React from 'react'`), '')
})

test('only one file may send outbound HTTP requests', () => {
  const outbound = [
    `import { Agent } from 'undici'`,
    `import { request } from 'node:https'`,
    `import http from 'node:http'`,
    `import * as http from 'http'`,
    `export const load = () => import('node:http')`,
    `export const get = () => fetch('https://example.org')`,
    `export const get = () => globalThis.fetch('https://example.org')`,
  ]
  for (const source of outbound) {
    assert.match(violationsOf({ 'src/domain/a.ts': source }).join(), /outbound HTTP belongs in/, source)
    assert.deepEqual(violationsOf({ 'src/platform/fetch/fetcher.ts': source }), [], source)
    assert.deepEqual(violationsOf({ 'src/domain/a.test.ts': source }), [], source)
  }
  for (const source of [
    `import { createServer, type IncomingMessage } from 'node:http'`,
    `import type { Agent } from 'node:http'`,
    `export const get = (fetch: (uri: string) => void) => fetch('https://example.org')`,
    `export const get = (remote: { fetch(uri: string): void }) => remote.fetch('https://example.org')`,
  ]) {
    assert.deepEqual(violationsOf({ 'src/domain/a.ts': source }), [], source)
  }
})

test('the program runs SQL only by statements, except in listed files', () => {
  for (const source of [
    `export const find = (pool: { query(text: string): void }) => pool.query('select 1')`,
    `import { sql } from 'kysely'\nexport const one = sql`,
  ]) {
    assert.match(violationsOf({ 'src/domain/a.ts': source }).join(), /a.ts:1 SQL is /, source)
    assert.deepEqual(violationsOf({ 'src/domain/a.test.ts': source }), [], source)
  }
  const direct = `export const find = (pool: { query(text: string): void }) => pool.query('select 1')`
  assert.deepEqual(violationsOf({ 'src/platform/db/migrate.ts': direct }), [])
})

test('barrels, default exports and imports that cannot be read are violations', () => {
  assert.match(violationsOf({ 'src/lib/a.ts': `export * from './b.ts'` }).join(), /no barrels/)
  assert.match(violationsOf({ 'src/lib/a.ts': `export { b } from './b.ts'` }).join(), /no barrels/)
  assert.match(violationsOf({ 'src/lib/a.ts': `export default 1` }).join(), /no default exports/)
  assert.match(violationsOf({ 'src/lib/a.ts': `const a = 1\nexport { a as default }` }).join(), /no default exports/)
  assert.match(violationsOf({ 'src/lib/a.ts': `export const a = (x: string) => import(x)` }).join(), /cannot be read/)
  assert.match(violationsOf({ 'src/lib/a.ts': `export const = 1` }).join(), /does not parse/)
})

test('a test that sleeps is a violation, a timer for a time limit is not', () => {
  for (const source of [
    `import { setTimeout as sleep } from 'node:timers/promises'\nawait sleep(5)`,
    `await new Promise((resolve) => setTimeout(resolve, 5))`,
    `const sleep = (ms: number) => new Promise<void>((done) => setTimeout(() => done(), ms))`,
  ]) {
    assert.match(violationsOf({ 'src/lib/a.test.ts': source }).join(), /no sleeps in tests/, source)
  }
  const guard = `import { setImmediate } from 'node:timers/promises'
    const late = new Promise((_, reject) => setTimeout(() => reject(new Error('late')), 5))`
  assert.deepEqual(violationsOf({ 'src/lib/a.test.ts': guard }), [])
})

test('a file over 300 lines needs a reason, and a reason needs a file over 300 lines', () => {
  assert.deepEqual(violationsOf({ 'src/lib/a.ts': '\n'.repeat(300) }), [])
  assert.deepEqual(violationsOf({ 'src/lib/a.ts': '\n'.repeat(301) }), ['src/lib/a.ts:1 has 301 lines'])
  assert.deepEqual(violationsOf({ 'src/lib/long.ts': '\n' }), [
    'src/lib/long.ts:1 is listed as a long file, but is not one',
  ])
})
