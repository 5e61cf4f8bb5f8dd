import react from '@vitejs/plugin-react'
import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { IntlMessageFormat } from 'intl-messageformat'
import { defineConfig } from 'vite'
import type { Plugin } from 'vite'

const CATALOGUES = new URL('../src/lib/messages/web-catalogues/', import.meta.url).pathname

/** The texts that only some pages need: those of a folder, or of one file. */
const PARTS = ['admin', 'filters', 'annual-report', 'emojis', 'collections']

/** Returns the part of the texts that a file of a language belongs to; undefined: those that every page needs. */
function partOf(file: string): string | undefined {
  return PARTS.find((part) => file === `${part}.json` || file.startsWith(`${part}/`))
}

/**
 * Makes `virtual:messages/de` a module with the texts of a language, so that a browser loads them by one request, and
 * for example `virtual:messages/de/admin` one with those of the administration. Texts with placeholders are parsed here, so that
 * browsers load no parser.
 */
function messages(): Plugin {
  const PREFIX = 'virtual:messages/'
  return {
    name: 'linnet-messages',
    resolveId: (id) => (id.startsWith(PREFIX) ? `\0${id}` : null),
    load(id) {
      if (!id.startsWith(`\0${PREFIX}`)) return null
      const [language = '', part] = id.slice(PREFIX.length + 1).split('/')
      const folder = `${CATALOGUES}${language}/`
      const files = globSync('**/*.json', { cwd: folder })
        .filter((file) => partOf(file) === part)
        .map((file) => folder + file)
      for (const file of files) this.addWatchFile(file)
      const texts = files.map((file) => JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>)
      const parsed = Object.entries(Object.assign({}, ...texts) as Record<string, string>).map(([id, text]) => [
        id,
        text.includes('{') ? new IntlMessageFormat(text, language).getAst() : text,
      ])
      return `export default ${JSON.stringify(Object.fromEntries(parsed))}`
    },
  }
}

interface EmojiData {
  emoji: string
  label: string
  tags?: string[]
  /** Missing for letters of flags. */
  group?: number
  order?: number
  /** The version of Emoji that introduced it. */
  version: number
  skins?: { emoji: string; tone: number | number[] }[]
}

/** The languages of the client for which `emojibase-data` has names; the others get the English ones. */
const NAMED_LANGUAGES = ['en', 'de', 'es']
/** Skin tones and hair, which are parts of emojis. */
const COMPONENTS = 2
/** Most devices cannot draw newer ones. */
const NEWEST_EMOJI_VERSION = 15.1
/** The lightest of the five skin tones, which follow one another. */
const FIRST_TONE = 0x1f3fb
const TONE_PLACE = '*'

/**
 * Makes `virtual:emojis/de` a module with the Unicode emojis in their order. Each is a list: the emoji, its name in the
 * language, its keywords, and, if it has skin tones, the emoji with `*` in place of the tone. The groups are lists of
 * emojis.
 */
function emojis(): Plugin {
  const PREFIX = 'virtual:emojis/'
  return {
    name: 'linnet-emojis',
    resolveId: (id) => (id.startsWith(PREFIX) ? `\0${id}` : null),
    load(id) {
      if (!id.startsWith(`\0${PREFIX}`)) return null
      const language = id.slice(PREFIX.length + 1)
      const names = NAMED_LANGUAGES.includes(language) ? language : 'en'
      const file = fileURLToPath(import.meta.resolve(`emojibase-data/${names}/data.json`))
      const all = (JSON.parse(readFileSync(file, 'utf8')) as EmojiData[]).filter(
        ({ group, version }) => group !== undefined && group !== COMPONENTS && version <= NEWEST_EMOJI_VERSION,
      )
      const groups = Map.groupBy(all, ({ group }) => group!)
      const tables = [...groups]
        .toSorted(([a], [b]) => a - b)
        .map(([, group]) => group.toSorted((a, b) => a.order! - b.order!).map((one) => toRow(one, language)))
      return `export default JSON.parse(${JSON.stringify(JSON.stringify(tables))})`
    },
  }
}

function toRow(data: EmojiData, language: string): string[] {
  const { emoji, tags = [] } = data
  const region = regionOf(emoji)
  const label = region ? (new Intl.DisplayNames(language, { type: 'region' }).of(region) ?? data.label) : data.label
  const keywords = (label === data.label ? tags : [...tags, data.label]).filter((tag) => !label.includes(tag))
  const toned = tonedPattern(data)
  return [emoji, label, keywords.join(' '), ...(toned === null ? [] : [toned])]
}

/** Returns the code of the region of a flag, or null. */
function regionOf(emoji: string): string | null {
  const FIRST_LETTER = 0x1f1e6
  const offsets = Array.from(emoji, (letter) => letter.codePointAt(0)! - FIRST_LETTER)
  const isFlag = offsets.length === 2 && offsets.every((offset) => offset >= 0 && offset < 26)
  return isFlag ? offsets.map((offset) => String.fromCodePoint(0x41 + offset)).join('') : null
}

/** Returns an emoji with `*` in place of its skin tone; null if it has none. */
function tonedPattern({ skins = [] }: EmojiData): string | null {
  const uniform = skins.filter(({ tone }) => new Set([tone].flat()).size === 1)
  const pattern = uniform.find(({ tone }) => [tone].flat()[0] === 1)?.emoji.replaceAll(toneCharacter(1), TONE_PLACE)
  const isComplete = [1, 2, 3, 4, 5].every((tone) =>
    uniform.some(({ emoji }) => emoji === pattern?.replaceAll(TONE_PLACE, toneCharacter(tone))),
  )
  return pattern !== undefined && isComplete ? pattern : null
}

const toneCharacter = (tone: number) => String.fromCodePoint(FIRST_TONE + tone - 1)

/**
 * Makes masto.js convert each name of a property once. It would otherwise take the names in every object of a response
 * apart, which costs more than reading the JSON.
 */
function rememberedNames(): Plugin {
  const ID = '\0remembered-names'
  return {
    name: 'linnet-remembered-names',
    enforce: 'pre',
    resolveId: (id, importer) => (id === 'change-case' && importer?.includes('/masto/') ? ID : null),
    load: (id) =>
      id === ID
        ? `import * as names from 'change-case'
          const remember = (convert) => {
            const known = new Map()
            return (name) => known.get(name) ?? (known.set(name, convert(name)), known.get(name))
          }
          export const camelCase = remember(names.camelCase)
          export const snakeCase = remember(names.snakeCase)`
        : null,
  }
}

/** Files that are larger, and that the first page does not need, are cached when they are first used. */
const MAX_PRECACHED_BYTES = 100_000

/** Writes into the service worker which files the build has, so that it caches them before they are used. */
function serviceWorkerFiles(): Plugin {
  return {
    name: 'linnet-service-worker',
    generateBundle(_options, bundle) {
      const files = Object.values(bundle).filter((file) => {
        if (!file.fileName.startsWith('assets/')) return false
        const content = file.type === 'chunk' ? file.code : file.source
        return (file.type === 'chunk' && file.isEntry) || content.length <= MAX_PRECACHED_BYTES
      })
      const paths = files.map(({ fileName }) => `/web/${fileName}`).toSorted()
      const worker = bundle['service-worker.js']
      if (worker?.type !== 'chunk') throw new Error('The build has no service worker')
      const id = createHash('sha256').update(paths.join()).digest('hex').slice(0, 16)
      worker.code = worker.code.replaceAll('BUILD_FILES', JSON.stringify(paths)).replaceAll('BUILD_ID', `"${id}"`)
    },
  }
}

export default defineConfig({
  base: '/web/',
  cacheDir: '../node_modules/.vite',
  resolve: {
    alias: { '@formatjs/icu-messageformat-parser': '@formatjs/icu-messageformat-parser/no-parser.js' },
  },
  plugins: [react(), messages(), emojis(), rememberedNames(), serviceWorkerFiles()],
  build: {
    manifest: true,
    target: 'es2024',
    modulePreload: { polyfill: false },
    // In kB. `test/web/budget.test.ts` limits what browsers load.
    chunkSizeWarningLimit: 1_000,
    rolldownOptions: {
      input: { main: 'src/main.tsx', 'service-worker': 'src/service-worker/service-worker.ts' },
      output: {
        // Browsers update a service worker by its URL.
        // One file with all that the first page needs: browsers load one faster than thirty, and it compresses better.
        codeSplitting: { groups: [{ name: 'client', test: /\/web\/src\/main\.tsx$/ }] },
        entryFileNames: ({ name }) => (name === 'service-worker' ? '[name].js' : 'assets/[name]-[hash].js'),
      },
      checks: { pluginTimings: false },
    },
  },
})
