import { randomBytes } from 'node:crypto'

/** What the addresses of an upload's files are made of: 128 random bits, which are the only key to them. */
export function makeMediaName(): string {
  return randomBytes(16).toString('hex')
}

/** Where the files of an upload lie. `extension` without its dot. */
export function mediaKey(name: string, extension: string): string {
  return `media/${name.slice(0, 2)}/${name}.${extension}`
}

export function previewKey(name: string, extension: string): string {
  return `media/${name.slice(0, 2)}/${name}-small.${extension}`
}

/** Where an upload lies as it came, until it has been worked on. */
export function rawKey(name: string): string {
  return `uploads/${name.slice(0, 2)}/${name}.bin`
}

/** The name in any of these. */
export function nameOfKey(key: string): string {
  return /([0-9a-f]{32})[^/]*$/.exec(key)?.[1] ?? ''
}
