import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Type } from 'typebox'
import type { Static } from 'typebox'
import { Check } from 'typebox/schema'
import { BackupError } from './backup-error.ts'

const FORMAT = 1

const MANIFEST_FILE = 'manifest.json'

const File = Type.Object({
  /** Relative to the folder of the backup. */
  path: Type.String(),
  bytes: Type.Integer({ minimum: 0 }),
  sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
})

const Manifest = Type.Object({
  format: Type.Literal(FORMAT),
  linnetVersion: Type.String(),
  createdAt: Type.String(),
  localDomain: Type.Union([Type.String(), Type.Null()]),
  /** The names of the migrations that had created the tables. */
  migrations: Type.Array(Type.String(), { minItems: 1 }),
  tables: Type.Array(
    Type.Object({
      name: Type.String(),
      columns: Type.Array(Type.String(), { minItems: 1 }),
      rows: Type.Integer({ minimum: 0 }),
      file: File,
    }),
  ),
  sequences: Type.Array(Type.Object({ name: Type.String(), last: Type.String(), isCalled: Type.Boolean() })),
  /** The secrets and the media files, with their paths in the data folder. Empty if media are in a bucket. */
  files: Type.Array(File),
  hasMedia: Type.Boolean(),
})

/** The contents of a backup. It is written last, so a folder without one is an incomplete backup. */
export type Manifest = Static<typeof Manifest>
export type BackupFile = Static<typeof File>

export async function writeManifest(folder: string, manifest: Omit<Manifest, 'format'>): Promise<void> {
  const text = `${JSON.stringify({ format: FORMAT, ...manifest }, null, 1)}\n`
  await writeFile(join(folder, MANIFEST_FILE), text, { mode: 0o600, flag: 'wx', flush: true })
}

/** @throws BackupError if the folder contains no complete backup that this version can read */
export async function readManifest(folder: string): Promise<Manifest> {
  const path = join(folder, MANIFEST_FILE)
  const text = await readFile(path, 'utf8').catch((err: NodeJS.ErrnoException) => {
    if (err.code !== 'ENOENT' && err.code !== 'ENOTDIR') throw err
    throw new BackupError(`${folder} contains no complete backup: there is no manifest.json`)
  })
  let manifest: unknown
  try {
    manifest = JSON.parse(text)
  } catch (cause) {
    throw new BackupError(`${path} is damaged`, { cause })
  }
  if (!Check(Manifest, manifest)) throw new BackupError(`${path} is damaged, or from a newer version of Linnet`)
  return manifest
}
