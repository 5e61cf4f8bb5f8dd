import { randomBytes } from 'node:crypto'

/** Returns the random name of an upload's files: 128 bits, which are the only protection of their URLs. */
export function makeMediaName(): string {
  return randomBytes(16).toString('hex')
}

/** Returns the storage key of an upload's file. `extension`: without the dot. */
export function mediaKey(name: string, extension: string): string {
  return `media/${name.slice(0, 2)}/${name}.${extension}`
}

/** Returns the storage key of an upload's preview. */
export function previewKey(name: string, extension: string): string {
  return `media/${name.slice(0, 2)}/${name}-small.${extension}`
}

/** Returns the storage key of an unprocessed upload. */
export function uploadKey(name: string): string {
  return `uploads/${name.slice(0, 2)}/${name}.bin`
}

/** Returns the random name that any of these keys contains. */
export function mediaNameOfKey(key: string): string {
  return /([0-9a-f]{32})[^/]*$/.exec(key)?.[1] ?? ''
}
