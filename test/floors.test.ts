import { test } from 'node:test'
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { findBreaches } from './floors/judge.ts'
import { readHouse } from './floors/drawing.ts'

const ROOT = new URL('..', import.meta.url).pathname
const ARCHITECTURE = readFileSync(`${ROOT}ARCHITECTURE.md`, 'utf8')

const DRAWING = `
\`\`\`
5  main  app                 sees all
4  http │ streaming          doors
2  domain                    verbs
0  lib │ entities            helpers
   web/                      the client
\`\`\`

## Long files

- \`src/domain/long.ts\`: one list, and splitting it would hide its order
`

/** Breaches of a house with the drawing above and only these files. */
function breachesOf(files: Record<string, string>): string[] {
  const long = { 'src/domain/long.ts': '\n'.repeat(301) }
  return findBreaches(new Map(Object.entries({ ...long, ...files })), DRAWING)
}

test('the code keeps to the floors of the drawing, without cycles, barrels, second doors or overlong files', () => {
  const paths = globSync('{src,bin,test,migrations,bench,web}/**/*.{ts,tsx,js,mjs}', {
    cwd: ROOT,
    exclude: ['**/node_modules/**', 'web/dist/**', 'bench/results/**'],
  })
  const files = new Map(paths.toSorted().map((path) => [path, readFileSync(ROOT + path, 'utf8')]))
  assert.ok(files.size > 0)
  assert.deepEqual(findBreaches(files, ARCHITECTURE), [])
})

test('the drawing names every floor from 0 to 5, and the doors have walls between them', () => {
  const { floors } = readHouse(ARCHITECTURE)
  assert.deepEqual(
    floors.map(({ level }) => level),
    [5, 4, 3, 2, 1, 0],
  )
  assert.deepEqual(floors[1], {
    level: 4,
    names: ['http', 'federation', 'streaming', 'mail', 'push', 'cli'],
    walled: true,
  })
  assert.ok(floors[0]?.names.includes('effects'))
  assert.equal(floors[0]?.walled, false)
})

test('an import may point down, and not up', () => {
  assert.deepEqual(breachesOf({ 'src/http/a.ts': `import { b } from '../domain/b.ts'` }), [])
  assert.deepEqual(breachesOf({ 'src/domain/b.ts': `import { a } from '../http/a.ts'` }), [
    'src/domain/b.ts:1 floor 2 (domain) imports from floor 4 (http) (../http/a.ts)',
  ])
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
    assert.match(breachesOf({ 'src/domain/b.ts': source }).join(), /floor 2 \(domain\) imports from floor 4/, source)
  }
})

test('walls stand between the doors, and none between the files of the top floor', () => {
  assert.deepEqual(breachesOf({ 'src/http/a.ts': `import { s } from '../streaming/s.ts'` }), [
    'src/http/a.ts:1 a wall stands between http and streaming (../streaming/s.ts)',
  ])
  assert.deepEqual(breachesOf({ 'src/http/a.ts': `import { b } from './api/b.ts'` }), [])
  assert.deepEqual(breachesOf({ 'src/main.ts': `import { app } from './app.ts'` }), [])
})

test('a folder that is not on the drawing is a breach', () => {
  assert.match(breachesOf({ 'src/utils/a.ts': `import { b } from '../lib/b.ts'` }).join(), /src\/utils is on no floor/)
})

test('a cycle is a breach, with types counted, on one floor too', () => {
  const files = {
    'src/domain/a.ts': `import type { B } from './b.ts'\nexport type A = B`,
    'src/domain/b.ts': `import { c } from './c.ts'\nexport type B = typeof c`,
    'src/domain/c.ts': `import type { A } from './a.ts'\nexport const c = null as A`,
  }
  assert.deepEqual(breachesOf(files), [
    'src/domain/a.ts:1 a cycle: src/domain/a.ts → src/domain/b.ts → src/domain/c.ts → src/domain/a.ts',
  ])
})

test('tests are free of the floors, and nothing imports them', () => {
  assert.deepEqual(breachesOf({ 'src/domain/a.test.ts': `import { http } from '../http/a.ts'` }), [])
  assert.deepEqual(breachesOf({ 'src/domain/a.test.ts': `import { world } from '../../test/world.ts'` }), [])
  assert.match(breachesOf({ 'src/domain/a.ts': `import { world } from '../../test/world.ts'` }).join(), /outside src/)
  assert.match(breachesOf({ 'src/domain/a.ts': `import { x } from './b.test.ts'` }).join(), /nothing imports a test/)
})

test('migrations import nothing, and the web client nothing of the server', () => {
  assert.deepEqual(breachesOf({ 'migrations/0001-a.ts': 'export const up = `create table a (id bigint)`' }), [])
  assert.match(breachesOf({ 'migrations/0001-a.ts': `import { x } from '../src/lib/x.ts'` }).join(), /imports nothing/)
  assert.match(breachesOf({ 'migrations/0001-a.ts': `import pg from 'pg'` }).join(), /imports nothing/)
  assert.match(breachesOf({ 'web/src/a.tsx': `import type { S } from '../../src/entities/s.ts'` }).join(), /public API/)
  assert.deepEqual(breachesOf({ 'web/src/a.tsx': `import { b } from './b'\nimport React from 'react'` }), [])
})

test('outbound HTTP lives in one file', () => {
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
    assert.match(breachesOf({ 'src/domain/a.ts': source }).join(), /outbound HTTP belongs in/, source)
    assert.deepEqual(breachesOf({ 'src/platform/fetch.ts': source }), [], source)
    assert.deepEqual(breachesOf({ 'src/domain/a.test.ts': source }), [], source)
  }
  for (const source of [
    `import { createServer, type IncomingMessage } from 'node:http'`,
    `import type { Agent } from 'node:http'`,
    `export const get = (fetch: (uri: string) => void) => fetch('https://example.org')`,
    `export const get = (remote: { fetch(uri: string): void }) => remote.fetch('https://example.org')`,
  ]) {
    assert.deepEqual(breachesOf({ 'src/domain/a.ts': source }), [], source)
  }
})

test('SQL of the program is run by statements, but in files that are named with a reason', () => {
  for (const source of [
    `export const find = (pool: { query(text: string): void }) => pool.query('select 1')`,
    `import { sql } from 'kysely'\nexport const one = sql`,
  ]) {
    assert.match(breachesOf({ 'src/domain/a.ts': source }).join(), /a.ts:1 SQL is /, source)
    assert.deepEqual(breachesOf({ 'src/domain/a.test.ts': source }), [], source)
  }
  const direct = `export const find = (pool: { query(text: string): void }) => pool.query('select 1')`
  assert.deepEqual(breachesOf({ 'src/platform/db/migrate.ts': direct }), [])
})

test('barrels, default exports and imports that can not be read are breaches', () => {
  assert.match(breachesOf({ 'src/lib/a.ts': `export * from './b.ts'` }).join(), /no barrels/)
  assert.match(breachesOf({ 'src/lib/a.ts': `export { b } from './b.ts'` }).join(), /no barrels/)
  assert.match(breachesOf({ 'src/lib/a.ts': `export default 1` }).join(), /no default exports/)
  assert.match(breachesOf({ 'src/lib/a.ts': `const a = 1\nexport { a as default }` }).join(), /no default exports/)
  assert.match(breachesOf({ 'src/lib/a.ts': `export const a = (x: string) => import(x)` }).join(), /can not be read/)
  assert.match(breachesOf({ 'src/lib/a.ts': `export const = 1` }).join(), /does not parse/)
})

test('a test that sleeps is a breach, a timer that guards is not', () => {
  for (const source of [
    `import { setTimeout as sleep } from 'node:timers/promises'\nawait sleep(5)`,
    `await new Promise((resolve) => setTimeout(resolve, 5))`,
    `const sleep = (ms: number) => new Promise<void>((done) => setTimeout(() => done(), ms))`,
  ]) {
    assert.match(breachesOf({ 'src/lib/a.test.ts': source }).join(), /no sleeps in tests/, source)
  }
  const guard = `import { setImmediate } from 'node:timers/promises'
    const late = new Promise((_, reject) => setTimeout(() => reject(new Error('late')), 5))`
  assert.deepEqual(breachesOf({ 'src/lib/a.test.ts': guard }), [])
})

test('a file over 300 lines needs a reason, and a reason needs a file over 300 lines', () => {
  assert.deepEqual(breachesOf({ 'src/lib/a.ts': '\n'.repeat(300) }), [])
  assert.deepEqual(breachesOf({ 'src/lib/a.ts': '\n'.repeat(301) }), ['src/lib/a.ts:1 has 301 lines'])
  assert.deepEqual(breachesOf({ 'src/domain/long.ts': '\n' }), [
    'src/domain/long.ts:1 is listed as a long file, but is not one',
  ])
})
