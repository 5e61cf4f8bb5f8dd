import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'

const ROOT = new URL('../..', import.meta.url).pathname
const DIST = `${ROOT}web/dist/`
const ENTRY = 'src/main.tsx'
const ENGLISH = '\0virtual:messages/en'
const MAX_SCRIPT_BYTES = 180 * 1024
const MAX_STYLE_BYTES = 20 * 1024

/** URLs in the files of the build that browsers do not request. */
const NAMES = ['http://www.w3.org/', 'https://react.dev/errors/', 'https://tanstack.com/', 'https://github.com/']

interface Chunk {
  file: string
  imports?: string[]
  css?: string[]
}

const chunks = JSON.parse(readFileSync(`${DIST}.vite/manifest.json`, 'utf8')) as Record<string, Chunk>

/** Returns a chunk with all that it imports statically, which browsers load at the same time. */
function withImports(name: string, found = new Set<Chunk>()): Set<Chunk> {
  const chunk = chunks[name]
  assert.ok(chunk, `the build has no ${name}`)
  if (found.has(chunk)) return found
  found.add(chunk)
  for (const imported of chunk.imports ?? []) withImports(imported, found)
  return found
}

const english = Object.keys(chunks).find((name) => name.endsWith(ENGLISH.slice(1)))
const firstLoad = withImports(ENTRY)
if (english) withImports(english, firstLoad)

const gzippedBytes = (paths: Iterable<string>) =>
  [...paths].reduce((sum, path) => sum + gzipSync(readFileSync(DIST + path)).length, 0)

test('the scripts and texts of the first load stay within their budget', () => {
  assert.ok(english, 'the build has English texts')
  const bytes = gzippedBytes([...firstLoad].map(({ file }) => file))
  assert.ok(bytes <= MAX_SCRIPT_BYTES, `${(bytes / 1024).toFixed(1)} KB of ${MAX_SCRIPT_BYTES / 1024} KB`)
})

test('the first load consists of few files, which browsers request at the same time', () => {
  const files = [...firstLoad].flatMap(({ file, css = [] }) => [file, ...css])
  assert.ok(files.length <= 5, files.join(' '))
})

test('the styles of the first page stay within their budget', () => {
  const bytes = gzippedBytes(new Set([...firstLoad].flatMap(({ css = [] }) => css)))
  assert.ok(bytes <= MAX_STYLE_BYTES, `${(bytes / 1024).toFixed(1)} KB of ${MAX_STYLE_BYTES / 1024} KB`)
})

test('the build refers to no other host', () => {
  for (const file of globSync('**/*.{js,css}', { cwd: DIST })) {
    const urls = readFileSync(DIST + file, 'utf8').match(/https?:\/\/[\w-]+\.[\w.-]+[\w/.-]*/g) ?? []
    const others = urls.filter((url) => !NAMES.some((name) => url.startsWith(name)))
    assert.deepEqual(others, [], file)
  }
})

test('the source sets no HTML', () => {
  for (const file of globSync('web/src/**/*.{ts,tsx}', { cwd: ROOT }))
    assert.doesNotMatch(readFileSync(ROOT + file, 'utf8'), /dangerouslySetInnerHTML|\.innerHTML\b/, file)
})
