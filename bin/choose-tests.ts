import { globSync, readFileSync, statSync } from 'node:fs'
import { relative } from 'node:path'
import { findNearestName } from '../src/lib/find-nearest-name.ts'

export interface TestFile {
  /** The path relative to the root of the project. */
  path: string
  /** Whether `--quick` omits the file: it has the comment `// Slow: REASON`. */
  isSlow: boolean
  /** Whether the file needs its own process: it has the comment `// In a process of its own: REASON`. */
  isAlone: boolean
  /** The titles in the source; inserted values remain `${…}`. */
  titles: string[]
}

/** The files and tests of one run. */
interface Choice {
  /** Files that run completely. */
  files: TestFile[]
  /** Files of which only the tests run whose titles match one of the patterns. */
  filesByTitle: TestFile[]
  /** Options of `node --test`. */
  patterns: string[]
}

/** A word without matches, with the paths and titles that contain the most similar word. */
interface UnknownWord {
  word: string
  nearest: string[]
}

/** The maximum number of suggestions for an unknown word. */
const MAX_SUGGESTIONS = 5

const TITLE = /\b(?:test|it|describe|suite)(?:\.\w+)?\(\s*(['"`])((?:\\.|(?!\1)[^\\])*)\1/g

/** Returns the test files if every word is the path of one, else null. This spares reading all other files. */
export function findNamedTestFiles(words: readonly string[]): TestFile[] | null {
  if (!words.every((word) => statSync(word, { throwIfNoEntry: false })?.isFile())) return null
  return [...new Set(words.map((word) => relative('.', word)))].map((path) => readTestFile(path))
}

/** Lists all test files. */
export function listTestFiles(): TestFile[] {
  return ['test', 'src', 'web/src'].flatMap((folder) =>
    globSync(`${folder}/**/*.test.ts`)
      .toSorted()
      .map((path) => readTestFile(path)),
  )
}

function readTestFile(path: string): TestFile {
  const text = readFileSync(path, 'utf8')
  const titles = [...text.matchAll(TITLE)].map(([, , title = '']) => title.replaceAll(/\\(.)/g, '$1'))
  return {
    path,
    isSlow: /^\/\/ Slow: /m.test(text),
    isAlone: /^\/\/ In a process of its own: /m.test(text),
    titles,
  }
}

/**
 * Chooses the tests that any of the words names: a file, a folder, or a part of a path or of a title, without regard to
 * case. Without words, it chooses every file. Words that match nothing are returned instead.
 */
export function chooseTests(words: readonly string[], all: TestFile[]): Choice | { unknown: UnknownWord[] } {
  if (words.length === 0) return { files: all, filesByTitle: [], patterns: [] }
  const byPath = new Set<TestFile>()
  const byTitle = new Set<TestFile>()
  const patterns: string[] = []
  const unknown: UnknownWord[] = []
  for (const word of words) {
    const found = findByPath(word, all)
    const titled = all.filter(({ titles }) => titles.some((title) => contains(title, word)))
    for (const file of found) byPath.add(file)
    for (const file of titled) byTitle.add(file)
    if (titled.length > 0) patterns.push(`--test-name-pattern=/${escapePattern(word)}/i`)
    if (found.length + titled.length === 0) unknown.push({ word, nearest: findNearest(word, all) })
  }
  if (unknown.length > 0) return { unknown }
  return { files: [...byPath], filesByTitle: [...byTitle].filter((file) => !byPath.has(file)), patterns }
}

function findByPath(word: string, all: readonly TestFile[]): TestFile[] {
  const [named] = findNamedTestFiles([word]) ?? []
  if (named) return [all.find(({ path }) => path === named.path) ?? named]
  const entry = statSync(word, { throwIfNoEntry: false })
  const path = relative('.', word)
  const inFolder = entry ? all.filter((file) => file.path.startsWith(`${path}/`)) : []
  // The name of a folder without tests, such as docs, is treated as a word.
  return inFolder.length > 0 ? inFolder : all.filter((file) => contains(file.path, word))
}

/** Returns the paths and titles that contain the most similar word. */
function findNearest(word: string, all: readonly TestFile[]): string[] {
  const lines = all.flatMap(({ path, titles }) => [path, ...titles.map((title) => `${path}: ${title}`)])
  const known = new Set(lines.flatMap((line) => [...line.split(/[/\s]+/), ...line.split(/[^\p{L}\p{N}]+/u)]))
  const nearest = findNearestName(word, known)
  return nearest === null ? [] : lines.filter((line) => contains(line, nearest)).slice(0, MAX_SUGGESTIONS)
}

function contains(text: string, word: string): boolean {
  return text.toLowerCase().includes(word.toLowerCase())
}

/** Escapes a text for a regular expression between slashes, as Node expects it. */
function escapePattern(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`)
}
