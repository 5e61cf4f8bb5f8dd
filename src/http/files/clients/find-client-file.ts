import { readdir, realpath, stat } from 'node:fs/promises'
import { join, sep } from 'node:path'

export const INDEX_FILE = 'index.html'

/** Returns the names of the clients in a folder, in order: subfolders that have an index page. */
export async function listClients(clientsDir: string): Promise<string[]> {
  const names = await readdir(clientsDir)
  const found = await Promise.all(
    names.map(async (name) => {
      const folder = await findClientFolder({ clientsDir, name })
      return folder !== null && (await findEntry(folder, [INDEX_FILE])) === 'file'
    }),
  )
  return names.filter((_name, n) => found[n]).toSorted()
}

/** Returns the folder of a client, without symbolic links; null if there is none. */
export async function findClientFolder({
  clientsDir,
  name,
}: {
  clientsDir: string
  name: string
}): Promise<string | null> {
  if (!isFileName(name)) return null
  const root = await realpath(clientsDir)
  return (await findEntry(root, [name])) === 'folder' ? realpath(join(root, name)) : null
}

/** Returns the kind of an entry below a folder; null if it is missing, hidden, or a link that leads out of the folder. */
export async function findEntry(folder: string, segments: readonly string[]): Promise<'file' | 'folder' | null> {
  if (!segments.every(isFileName)) return null
  const path = join(folder, ...segments)
  if (!(await isInside(folder, path))) return null
  const stats = await stat(path)
  if (stats.isDirectory()) return 'folder'
  return stats.isFile() ? 'file' : null
}

/** Whether a path exists and is the folder or below it after all symbolic links are followed. */
export async function isInside(folder: string, path: string): Promise<boolean> {
  try {
    const target = await realpath(path)
    return target === folder || target.startsWith(folder + sep)
  } catch {
    // Missing, not readable, too long, or a circle of links.
    return false
  }
}

/** Whether a segment of a path names an entry of its folder that is not hidden. */
function isFileName(segment: string): boolean {
  return segment !== '' && !segment.startsWith('.') && !/[/\\\0]/.test(segment)
}
