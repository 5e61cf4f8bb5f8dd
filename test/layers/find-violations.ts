import { posix } from 'node:path'
import { readArchitecture, type Drawing } from './read-layers.ts'
import { scanFile, type Import, type Scan } from './scan-file.ts'

const MAX_LINES = 300

/** The maximum number of files in a folder, without test files and subfolders. */
const MAX_FILES = 25

/** Folders with more files, with the reason. */
const LARGE_FOLDERS = new Map([['migrations', 'their names give their order']])

/** The only file that may send outbound HTTP requests. */
const OUTBOUND = 'src/platform/fetch/fetcher.ts'

/** Files whose dynamic imports have no constant path, with the reason. */
const DYNAMIC_IMPORTS = new Map([['src/platform/db/read-migrations.ts', 'reads the files of migrations/']])

/** Files that run SQL without `statement`, and so without the check of statements, with the reason. */
const DIRECT_QUERIES = new Map([
  ['src/platform/db/statement.ts', 'runs all statements'],
  ['src/platform/db/connection.ts', 'begins, commits and rolls back'],
  ['src/platform/db/migrate.ts', 'runs before there are tables'],
  ['src/platform/db/open-database.ts', 'queries servers that may be too old'],
  ['src/platform/db/embedded/sessions.ts', 'creates the database'],
  ['src/platform/db/backup/describe-tables.ts', 'reads the schema of tables and sequences that it does not know'],
  ['src/platform/db/backup/dump-tables.ts', 'copies such tables'],
  ['src/platform/db/backup/load-tables.ts', 'copies such tables, without their constraints and triggers'],
  ['src/platform/bus/postgres-bus.ts', 'listens'],
])

/** What the web client may import from the server: the types of the API, and what both show, with the reason. */
const SHARED_WITH_WEB = new Map([
  ['src/http/pages/layout/tokens.css', 'the design tokens'],
  ['src/http/web-client/document.ts', 'the type of the start data in the document'],
  ['src/lib/html/paper-colours.ts', 'the colours of the bars of the browser'],
  ['src/lib/messages/locales.ts', 'the type of the languages'],
  ['src/lib/text/count-characters.ts', 'the composer counts like the server'],
  ['src/lib/text/entities/extract-entities.ts', 'the composer finds mentions like the server'],
])

const CLIENTS = /^(undici|axios|got|ky|node-fetch|superagent)(\/|$)/
const NODE_HTTP = /^(node:)?(http|https|http2)$/
const CLIENT_NAMES = new Set(['default', '*', 'request', 'get', 'Agent', 'globalAgent', 'ClientRequest', 'connect'])

const isTest = (path: string): boolean => path.startsWith('test/') || /\.test\.tsx?$/.test(path)
const isRelative = (specifier: string): boolean => /^\.{1,2}(\/|$)/.test(specifier)

/** Returns the path of a relative import from the root; the file may not exist. */
function resolve(from: string, specifier: string, files: ReadonlyMap<string, string>): string {
  const path = posix.join(posix.dirname(from), specifier.replace(/\?.*$/, ''))
  const candidates = [path, `${path}.ts`, `${path}.tsx`, `${path}/index.ts`, `${path}/index.tsx`]
  return candidates.find((one) => files.has(one)) ?? path
}

/** Returns the first name below a folder: for `src`, `src/http/routes.ts` is in `http` and `src/main.ts` in `main`. */
const memberOf = (root: string, path: string): string =>
  (path.slice(root.length + 1).split('/')[0] ?? '').replace(/\.(tsx?|js)$/, '')

/** Returns the violation of an import, or null. `target` is a path for relative imports, else the package's name. */
function checkImport(drawings: readonly Drawing[], path: string, one: Import, target: string): string | null {
  if (path.startsWith('migrations/')) return 'a migration imports nothing'
  if (path.startsWith('web/')) {
    if (!isRelative(one.specifier) || isTest(path)) return null
    if (!target.startsWith('web/')) {
      const isType = target.startsWith('src/entities/') && one.how === 'type'
      return isType || SHARED_WITH_WEB.has(target) ? null : 'the web client uses the public API only'
    }
    return findWrongLayer(drawings, path, target)
  }
  if (!path.startsWith('src/') || isTest(path)) return null
  if (!isRelative(one.specifier)) return checkPackage(path, one)
  if (target === 'package.json') return null
  if (!target.startsWith('src/')) return 'src imports nothing from outside src'
  if (isTest(target)) return 'nothing imports a test'
  return findWrongLayer(drawings, path, target)
}

function findWrongLayer(drawings: readonly Drawing[], path: string, target: string): string | null {
  for (const drawing of drawings) {
    const wrong = checkLayers(drawing, path, target)
    if (wrong) return wrong
  }
  return null
}

function checkPackage(path: string, one: Import): string | null {
  if (path === OUTBOUND) return null
  if (one.specifier === 'kysely') return 'SQL is written in a `statement`'
  const isNodeHttp = NODE_HTTP.test(one.specifier) && one.how !== 'type'
  const isClient = isNodeHttp && (one.how === 'dynamic' || one.names.some((name) => CLIENT_NAMES.has(name)))
  return isClient || CLIENTS.test(one.specifier) ? `outbound HTTP belongs in ${OUTBOUND}` : null
}

/** Returns how an import violates the layers of one folder, or null. */
function checkLayers({ root, layers }: Drawing, path: string, target: string): string | null {
  if (!path.startsWith(`${root}/`) || !target.startsWith(`${root}/`)) return null
  const [own, other] = [memberOf(root, path), memberOf(root, target)]
  if (own === other) return null
  const layerOf = (name: string) => layers.find(({ names }) => names.includes(name))
  const [from, to] = [layerOf(own), layerOf(other)]
  if (!from || !to) return `${root}/${from ? other : own} is in no layer`
  if (to.level > from.level) return `layer ${from.level} (${own}) imports from layer ${to.level} (${other})`
  if (to.level === from.level && from.isIsolated) return `${own} and ${other} are neighbours in layer ${from.level}`
  return null
}

function checkPattern(path: string, pattern: Scan['patterns'][number]['pattern']): string | null {
  const inSource = path.startsWith('src/')
  switch (pattern) {
    case 'syntax error':
      return 'does not parse'
    case 'export star':
    case 'barrel':
      return 'no barrels: import each name from the file that declares it'
    case 'default export':
      return inSource ? 'no default exports' : null
    case 'global fetch':
      return inSource && !isTest(path) && path !== OUTBOUND ? `outbound HTTP belongs in ${OUTBOUND}` : null
    case 'computed import':
      return inSource && !isTest(path) && !DYNAMIC_IMPORTS.has(path) ? 'an import that cannot be read here' : null
    case 'direct query':
      return inSource && !isTest(path) && !DIRECT_QUERIES.has(path) ? 'SQL is run by a `statement`' : null
    case 'sleep':
      return /\.test\.tsx?$/.test(path) ? 'no sleeps in tests: poll, or inject the clock' : null
  }
}

/** Returns the cycles found by a depth-first search of the imports, each as the paths from a file back to itself. */
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

function findLargeFolders(paths: readonly string[]): string[] {
  const folders = Map.groupBy(
    paths.filter((path) => !/\.test\.tsx?$/.test(path)),
    (path) => posix.dirname(path),
  )
  return [...folders].flatMap(([folder, { length }]) =>
    length > MAX_FILES && !LARGE_FOLDERS.has(folder)
      ? [`${folder}/ has ${length} files: group them in subfolders`]
      : [],
  )
}

/**
 * Checks files against the drawings in ARCHITECTURE.md and the other rules of the code. `files` maps paths from the
 * root to their text. Returns one line per violation: `path:line text`.
 */
export function findViolations(files: ReadonlyMap<string, string>, architecture: string): string[] {
  const { drawings, longFiles } = readArchitecture(architecture)
  const violations: string[] = []
  const edges = new Map<string, string[]>()

  for (const [path, source] of files) {
    const { imports, patterns } = scanFile(path, source)
    const targets: string[] = []
    for (const one of imports) {
      const target = isRelative(one.specifier) ? resolve(path, one.specifier, files) : one.specifier
      if (files.has(target)) targets.push(target)
      const wrong = checkImport(drawings, path, one, target)
      if (wrong) violations.push(`${path}:${one.line} ${wrong} (${one.specifier})`)
    }
    edges.set(path, targets)
    for (const { pattern, line } of patterns) {
      const wrong = checkPattern(path, pattern)
      if (wrong) violations.push(`${path}:${line} ${wrong}`)
    }
    const lines = source.split('\n').length - 1
    if (lines > MAX_LINES && !longFiles.has(path)) violations.push(`${path}:1 has ${lines} lines`)
  }

  violations.push(...findLargeFolders([...files.keys()]))
  for (const cycle of findCycles(edges)) violations.push(`${cycle[0]}:1 a cycle: ${cycle.join(' → ')}`)
  for (const path of longFiles.keys()) {
    const lines = (files.get(path) ?? '').split('\n').length - 1
    if (lines <= MAX_LINES) violations.push(`${path}:1 is listed as a long file, but is not one`)
  }
  return violations.toSorted()
}
