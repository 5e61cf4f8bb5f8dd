import { readFileSync, statSync } from 'node:fs'

/** The folder of the built web client (`web/vite.config.ts`). */
export const BUILD_FOLDER = new URL('../../../web/dist/', import.meta.url)

const MANIFEST = new URL('.vite/manifest.json', BUILD_FOLDER)

/** The module that starts the client. The service worker is the other entry. */
const ENTRY = 'src/main.tsx'

/** Modules of texts, without those of the administration. */
const TEXTS = /virtual:messages\/([a-z]+)$/

/** The URL prefix of its files. */
export const BUILD_PREFIX = '/web/'

/** What the document of the web client loads, as URL paths. */
export interface WebClientBuild {
  script: string
  /** Modules that the script imports, which browsers load at the same time. */
  preloads: readonly string[]
  /** The module with the texts of a language, which the script loads next. */
  texts: ReadonlyMap<string, string>
  styles: readonly string[]
}

/** An entry of Vite's manifest. */
interface Chunk {
  file: string
  imports?: string[]
  css?: string[]
}

/**
 * Reads which files the build consists of.
 * @throws Error if the web client was never built; `npm start` and `npm test` build it
 */
export function readBuild(): WebClientBuild {
  const changedAt = statManifest()
  if (cached?.changedAt !== changedAt) cached = { changedAt, build: parseManifest(readFileSync(MANIFEST, 'utf8')) }
  return cached.build
}

/** The last build that was read. During development, a new one replaces it while the server runs. */
let cached: { changedAt: number; build: WebClientBuild } | null = null

function parseManifest(text: string): WebClientBuild {
  const chunks = JSON.parse(text) as Record<string, Chunk>
  const entry = chunks[ENTRY]
  if (!entry) throw new Error('The manifest of the web client has no entry')
  const imported = new Set<Chunk>()
  const collect = (chunk: Chunk): void => {
    for (const name of chunk.imports ?? []) {
      const next = chunks[name]
      if (!next || imported.has(next)) continue
      imported.add(next)
      collect(next)
    }
  }
  collect(entry)
  const pathOf = (file: string) => BUILD_PREFIX + file
  return {
    script: pathOf(entry.file),
    texts: new Map(
      Object.entries(chunks).flatMap(([name, { file }]) => {
        const language = TEXTS.exec(name)?.[1]
        return language === undefined ? [] : [[language, pathOf(file)]]
      }),
    ),
    preloads: [...imported].map(({ file }) => pathOf(file)),
    styles: [...imported, entry].flatMap(({ css = [] }) => css).map(pathOf),
  }
}

function statManifest(): number {
  try {
    return statSync(MANIFEST).mtimeMs
  } catch (err) {
    throw new Error('The web client is not built: run npm start, which builds it', { cause: err })
  }
}
