import { posix } from 'node:path'
import { readHouse, type House } from './drawing.ts'
import { scanFile, type Import, type Scan } from './scan.ts'

const MAX_LINES = 300

/** The one file that talks HTTP to others. */
const OUTBOUND = 'src/platform/fetch.ts'

/** Where an import's target is only known when it runs, and why. */
const UNSEEN_IMPORTS = new Map([['src/platform/db/read-migrations.ts', 'reads the files of migrations/']])

/** Where SQL is run without `statement`, unseen by the check of statements, and why. */
const DIRECT_QUERIES = new Map([
  ['src/platform/db/statement.ts', 'runs all statements'],
  ['src/platform/db/connect.ts', 'begins, commits and rolls back'],
  ['src/platform/db/migrate.ts', 'runs before there are tables'],
  ['src/platform/db/open.ts', 'asks servers that may be too old'],
  ['src/platform/db/embedded/session.ts', 'creates the database'],
  ['src/platform/bus/postgres.ts', 'listens'],
  ['src/platform/jobs/protect-outcomes.ts', 'passes on the statements of graphile-worker'],
])

const CLIENTS = /^(undici|axios|got|ky|node-fetch|superagent)(\/|$)/
const NODE_HTTP = /^(node:)?(http|https|http2)$/
const CLIENT_NAMES = new Set(['default', '*', 'request', 'get', 'Agent', 'globalAgent', 'ClientRequest', 'connect'])

const isTest = (path: string): boolean => path.startsWith('test/') || /\.test\.tsx?$/.test(path)
const isRelative = (specifier: string): boolean => /^\.{1,2}(\/|$)/.test(specifier)

/** The path of a relative import, from the root; it may name nothing that exists. */
function resolve(from: string, specifier: string, files: ReadonlyMap<string, string>): string {
  const path = posix.join(posix.dirname(from), specifier.replace(/\?.*$/, ''))
  const tried = [path, `${path}.ts`, `${path}.tsx`, `${path}/index.ts`, `${path}/index.tsx`]
  return tried.find((one) => files.has(one)) ?? path
}

/** The first name below `src/`: `src/http/api.ts` and `src/main.ts` live in `http` and `main`. */
const roomOf = (path: string): string => (path.split('/')[1] ?? '').replace(/\.(ts|js)$/, '')

/** What is wrong with one import, or null. `target` is a path for relative imports, else the package's name. */
function judgeImport(house: House, path: string, one: Import, target: string): string | null {
  if (path.startsWith('migrations/')) {
    return 'a migration imports nothing'
  }
  if (path.startsWith('web/')) {
    return isRelative(one.specifier) && !target.startsWith('web/')
      ? 'the web client talks to the public API only'
      : null
  }
  if (!path.startsWith('src/') || isTest(path)) return null
  if (!isRelative(one.specifier)) {
    if (path === OUTBOUND) return null
    if (one.specifier === 'kysely') return 'SQL is written in a `statement`'
    const http = NODE_HTTP.test(one.specifier) && one.how !== 'type'
    const client = http && (one.how === 'dynamic' || one.names.some((name) => CLIENT_NAMES.has(name)))
    return client || CLIENTS.test(one.specifier) ? `outbound HTTP belongs in ${OUTBOUND}` : null
  }
  if (target === 'package.json') return null
  if (!target.startsWith('src/')) return 'src imports nothing from outside src'
  if (isTest(target)) return 'nothing imports a test'

  const [mine, theirs] = [roomOf(path), roomOf(target)]
  if (mine === theirs) return null
  const floorOf = (room: string) => house.floors.find(({ names }) => names.includes(room))
  const [from, to] = [floorOf(mine), floorOf(theirs)]
  if (!from || !to) return `src/${from ? theirs : mine} is on no floor of the drawing`
  if (to.level > from.level) return `floor ${from.level} (${mine}) imports from floor ${to.level} (${theirs})`
  if (to.level === from.level && from.walled) return `a wall stands between ${mine} and ${theirs}`
  return null
}

function judgeHabit(path: string, habit: Scan['habits'][number]['habit']): string | null {
  const inSource = path.startsWith('src/')
  switch (habit) {
    case 'broken syntax':
      return 'does not parse'
    case 'export star':
    case 'barrel':
      return 'no barrels: import each name from the file that holds it'
    case 'default export':
      return inSource ? 'no default exports' : null
    case 'free fetch':
      return inSource && !isTest(path) && path !== OUTBOUND ? `outbound HTTP belongs in ${OUTBOUND}` : null
    case 'unseen import':
      return inSource && !isTest(path) && !UNSEEN_IMPORTS.has(path) ? 'an import that can not be read here' : null
    case 'direct query':
      return inSource && !isTest(path) && !DIRECT_QUERIES.has(path) ? 'SQL is run by a `statement`' : null
    case 'sleep':
      return /\.test\.tsx?$/.test(path) ? 'no sleeps in tests: poll, or inject the clock' : null
  }
}

/** Every cycle met on a walk through the imports, each as the paths from a file back to itself. */
function findCycles(edges: ReadonlyMap<string, readonly string[]>): string[][] {
  const cycles: string[][] = []
  const done = new Set<string>()
  const trail: string[] = []
  const visit = (path: string): void => {
    const seen = trail.indexOf(path)
    if (seen !== -1) return void cycles.push([...trail.slice(seen), path])
    if (done.has(path)) return
    trail.push(path)
    for (const next of edges.get(path) ?? []) visit(next)
    trail.pop()
    done.add(path)
  }
  for (const path of edges.keys()) visit(path)
  return cycles
}

/**
 * Holds files against the house drawn in ARCHITECTURE.md.
 * `files` maps paths from the root to their text. Returns one line per breach: `path:line what`.
 */
export function findBreaches(files: ReadonlyMap<string, string>, architecture: string): string[] {
  const house = readHouse(architecture)
  const breaches: string[] = []
  const edges = new Map<string, string[]>()

  for (const [path, source] of files) {
    const { imports, habits } = scanFile(path, source)
    const targets: string[] = []
    for (const one of imports) {
      const target = isRelative(one.specifier) ? resolve(path, one.specifier, files) : one.specifier
      if (files.has(target)) targets.push(target)
      const wrong = judgeImport(house, path, one, target)
      if (wrong) breaches.push(`${path}:${one.line} ${wrong} (${one.specifier})`)
    }
    edges.set(path, targets)
    for (const { habit, line } of habits) {
      const wrong = judgeHabit(path, habit)
      if (wrong) breaches.push(`${path}:${line} ${wrong}`)
    }
    const lines = source.split('\n').length - 1
    if (lines > MAX_LINES && !house.longFiles.has(path)) breaches.push(`${path}:1 has ${lines} lines`)
  }

  for (const cycle of findCycles(edges)) breaches.push(`${cycle[0]}:1 a cycle: ${cycle.join(' → ')}`)
  for (const path of house.longFiles.keys()) {
    const lines = (files.get(path) ?? '').split('\n').length - 1
    if (lines <= MAX_LINES) breaches.push(`${path}:1 is listed as a long file, but is not one`)
  }
  return breaches.toSorted()
}
