import { globSync, readFileSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { IntlMessageFormat } from 'intl-messageformat'
import { CATALOGUES } from '../src/lib/messages/catalogues.ts'

const ROOT = new URL('../', import.meta.url)

/** A node of the syntax tree of `intl-messageformat`, which does not export the enum of element types. */
interface Element {
  type: number
  value?: string
  options?: Record<string, { value: Element[] }>
  children?: Element[]
}
type Kind = 'text' | 'number' | 'tag'

const KINDS = new Map<number, Kind>([
  [1, 'text'], // {name}
  [2, 'number'], // {name, number}
  [5, 'text'], // {name, select, …}
  [6, 'number'], // {name, plural, …}
  [8, 'tag'], // <name>…</name>
])
const TEXT = 0
const PLURAL_SIGN = 7

/**
 * Returns the placeholders of a message by their names.
 * @throws Error for a pattern that is not ICU MessageFormat, for a type of placeholder that the program does not use,
 *   and for a name that is used as two kinds.
 */
export function findPlaceholders(pattern: string): Map<string, Kind> {
  const found = new Map<string, Kind>()
  const add = (name: string, kind: Kind) => {
    if ((found.get(name) ?? kind) !== kind) throw new Error(`{${name}} is used as ${found.get(name)} and as ${kind}`)
    found.set(name, kind)
  }
  const visit = (elements: readonly Element[]): void => {
    for (const { type, value = '', options = {}, children = [] } of elements) {
      const kind = KINDS.get(type)
      if (kind) add(value, kind)
      else if (type !== TEXT && type !== PLURAL_SIGN) throw new Error(`{${value}} has a type that is not supported`)
      for (const option of Object.values(options)) visit(option.value)
      visit(children)
    }
  }
  visit(new IntlMessageFormat(pattern, 'en').getAst())
  return found
}

/** The catalogues whose placeholders are declared, with the file of the declarations. */
const DECLARED = [
  {
    messages: CATALOGUES.en,
    folder: 'src/lib/messages/catalogues/en',
    file: 'src/lib/messages/message-kinds.ts',
  },
  {
    messages: readWebCatalogue('en'),
    folder: 'src/lib/messages/web-catalogues/en',
    file: 'web/src/lib/i18n/message-kinds.ts',
  },
]

/** Returns the messages of the web client in a language, which only the client loads. */
export function readWebCatalogue(locale: string): Record<string, string> {
  const files = globSync(`src/lib/messages/web-catalogues/${locale}/**/*.json`, { cwd: ROOT }).toSorted()
  const read = (file: string) => JSON.parse(readFileSync(new URL(file, ROOT), 'utf8')) as Record<string, string>
  return Object.assign({}, ...files.map(read)) as Record<string, string>
}

/** Returns the TypeScript source that declares the placeholders of each message of a catalogue. */
function generateKinds({ messages, folder }: (typeof DECLARED)[number]): string {
  const lines = Object.entries(messages).map(([id, pattern]) => {
    const kinds = [...findPlaceholders(pattern)].map(([name, kind]) => `${name}: '${kind}'`)
    return `  '${id}': ${kinds.length === 0 ? 'unknown' : `{ ${kinds.join('; ')} }`}\n`
  })
  return [
    `// Written by \`npm run messages\` from ${folder}. Change a catalogue, then run it again.\n\n`,
    '/** The placeholders of every message: `text`, `number`, or `tag` for one that encloses a part of the message; `unknown`: it has none. */\n',
    'export interface MessageKinds {\n',
    ...lines,
    '}\n',
  ].join('')
}

/** Writes the declarations, or, with `--check`, fails unless they are current. */
async function writeKinds(): Promise<void> {
  for (const declared of DECLARED) {
    const file = new URL(declared.file, ROOT)
    const source = generateKinds(declared)
    if (!process.argv.includes('--check')) {
      await writeFile(file, source)
    } else if ((await readFile(file, 'utf8')) !== source) {
      console.error(`${declared.file} is not current: run \`npm run messages\``)
      process.exitCode = 1
    }
  }
}

if (import.meta.main) await writeKinds()
