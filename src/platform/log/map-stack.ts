import { readFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { dirname, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

/** A position in a file of the bundled server (`bin/build-server.ts`). */
const BUNDLED_POSITION = /(file:\/\/\/\S+\/linnet-server\/[^/\s]+\/[^/\s]+\.js):(\d+):(\d+)/g

/** The maps of files that occurred in a stack. Null: the file has none. */
const maps = new Map<string, SourceMap | null>()

/** Replaces positions of the bundled server in a stack trace by those of the sources. */
export function mapStack(stack: string): string {
  return stack.replaceAll(BUNDLED_POSITION, (position: string, url: string, line: string, column: string) => {
    const file = fileURLToPath(url)
    const origin = mapOf(file)?.findOrigin(Number(line), Number(column))
    if (origin === undefined || !('fileName' in origin)) return position
    return `${relative('.', resolve(dirname(file), origin.fileName))}:${origin.lineNumber}:${origin.columnNumber}`
  })
}

function mapOf(file: string): SourceMap | null {
  let map = maps.get(file)
  if (map === undefined) maps.set(file, (map = readMap(`${file}.map`)))
  return map
}

function readMap(file: string): SourceMap | null {
  try {
    return new SourceMap(JSON.parse(readFileSync(file, 'utf8')) as ConstructorParameters<typeof SourceMap>[0])
  } catch {
    return null
  }
}
